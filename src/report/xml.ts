// XML 1.0 §2.2 leaves these out even as references; what steers a terminal goes with them.
const forbidden = /[^\t\n\r\u0020-\u007E\u00A0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu;

const escapes: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#9;',
  '\n': '&#10;',
  '\r': '&#13;',
};

export interface XmlElement {
  readonly name: string;
  readonly attributes?: Readonly<Record<string, string | number | undefined>>;
  /** Text, or elements. */
  readonly content?: string | readonly XmlElement[];
}

/** A document of one root element, well-formed for any text: what XML cannot hold is replaced by U+FFFD. */
export function formatXml(root: XmlElement): string {
  return `<?xml version="1.0" encoding="UTF-8"?>\n${element(root, '')}`;
}

function element({ name, attributes = {}, content = [] }: XmlElement, indent: string): string {
  const given = Object.entries(attributes).filter(([, value]) => value !== undefined);
  const open = `${indent}<${name}${given.map(([key, value]) => ` ${key}="${attributeText(String(value))}"`).join('')}`;
  if (content.length === 0) return `${open}/>\n`;
  if (typeof content === 'string') return `${open}>${elementText(content)}</${name}>\n`;
  return `${open}>\n${content.map((child) => element(child, `${indent}  `)).join('')}${indent}</${name}>\n`;
}

/** Line breaks stay, as references: a raw one would be read as a blank. */
function attributeText(text: string): string {
  return allowed(text).replace(/[&<>"\t\n\r]/g, (character) => escapes[character] ?? character);
}

function elementText(text: string): string {
  return allowed(text).replace(/[&<>\r]/g, (character) => escapes[character] ?? character);
}

function allowed(text: string): string {
  return text.replace(forbidden, '\uFFFD');
}

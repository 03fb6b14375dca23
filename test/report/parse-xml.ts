import { SaxesParser } from 'saxes';

export interface XmlElement {
  name: string;
  attributes: Record<string, string>;
  text: string;
  children: XmlElement[];
}

/** Parses strictly, as a CI viewer would: anything that is not well-formed XML 1.0 throws. */
export function parseXml(text: string): XmlElement {
  const parser = new SaxesParser();
  const top: XmlElement = { name: '', attributes: {}, text: '', children: [] };
  const stack = [top];
  parser.on('error', (error) => {
    throw error;
  });
  parser.on('opentag', ({ name, attributes }) => {
    const element = { name, attributes: attributes as Record<string, string>, text: '', children: [] };
    stack.at(-1)?.children.push(element);
    stack.push(element);
  });
  parser.on('text', (more) => {
    const here = stack.at(-1);
    if (here) here.text += more;
  });
  parser.on('closetag', () => stack.pop());
  parser.write(text).close();
  return top.children[0]!;
}

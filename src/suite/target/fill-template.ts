export type TemplateValues = Readonly<Record<string, unknown>>;

/**
 * Data with `{{name}}` filled in. A string that is nothing else becomes the value itself, whatever its type.
 *
 * @example
 * fillTemplate({ message: '{{input}}' }, { input: 'hello' }); // { message: 'hello' }
 */
export function fillTemplate(template: unknown, values: TemplateValues): unknown {
  if (typeof template === 'string') return fillText(template, values);
  if (Array.isArray(template)) return template.map((item) => fillTemplate(item, values));
  if (typeof template !== 'object' || template === null) return template;
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, fillTemplate(value, values)]));
}

function fillText(text: string, values: TemplateValues): unknown {
  const [, whole] = /^\{\{(\w+)\}\}$/.exec(text) ?? [];
  if (whole !== undefined && Object.hasOwn(values, whole)) return values[whole];
  return text.replace(/\{\{(\w+)\}\}/g, (mark, name: string) => {
    if (!Object.hasOwn(values, name)) return mark;
    const value = values[name];
    return typeof value === 'string' ? value : JSON.stringify(value);
  });
}

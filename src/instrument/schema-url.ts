/** A schema's address goes on where it is a plain one; a query or credentials in it are nobody's schema. */
export function plainSchemaUrl(url: string | undefined): { readonly schemaUrl?: string } {
  return url !== undefined && /^https?:\/\/[\w.-]{1,100}(?::\d{1,5})?\/[\w./-]{0,100}$/.test(url)
    ? { schemaUrl: url }
    : {};
}

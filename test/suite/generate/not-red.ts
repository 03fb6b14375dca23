export const notRed: readonly { readonly line: string; readonly why: string }[] = [];

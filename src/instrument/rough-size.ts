const perMember = 4;

/**
 * Characters of all texts and keys in a value, at least, as its JSON would have them; stops once there are more than
 * `most`, so that a cycle is too large and an object that stands in two places counts twice. Reads nothing but own
 * properties; a getter that throws throws.
 */
export function roughSize(value: unknown, most: number): number {
  let size = perMember;
  const stack: unknown[] = [value];
  while (stack.length > 0 && size <= most) {
    const item = stack.pop();
    if (typeof item === 'string') size += item.length;
    // Members count as they are put there, so that no more of them wait than may be counted.
    else if (typeof item === 'object' && item !== null) size += pushMembers(item, stack, most);
  }
  return size;
}

function pushMembers(item: object, stack: unknown[], most: number): number {
  if (ArrayBuffer.isView(item)) return item.byteLength;
  if (Array.isArray(item)) {
    if (item.length > most) return item.length;
    for (const member of item) stack.push(member);
    return item.length * perMember;
  }
  let size = 0;
  for (const [key, member] of Object.entries(item)) {
    size += key.length + perMember;
    stack.push(member);
  }
  return size;
}

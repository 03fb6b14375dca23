/**
 * Characters of all texts and keys in a value, at least; stops once there are more than `most`. A cycle counts as
 * endless. Reads nothing but own properties; a getter that throws throws.
 */
export function roughSize(value: unknown, most: number): number {
  let size = 0;
  const stack: unknown[] = [value];
  const seen = new Set<object>();
  while (stack.length > 0 && size <= most) {
    const item = stack.pop();
    size += 4;
    if (typeof item === 'string') size += item.length;
    else if (typeof item === 'object' && item !== null) {
      if (seen.has(item)) return Number.POSITIVE_INFINITY;
      seen.add(item);
      size += pushMembers(item, stack, most);
    }
  }
  return size;
}

function pushMembers(item: object, stack: unknown[], most: number): number {
  if (ArrayBuffer.isView(item)) return item.byteLength;
  if (Array.isArray(item)) {
    if (item.length > most) return item.length;
    for (const member of item) stack.push(member);
    return 0;
  }
  let size = 0;
  for (const [key, member] of Object.entries(item)) {
    size += key.length;
    stack.push(member);
  }
  return size;
}

/** Paints text for a terminal, or leaves it as it is. */
export interface Palette {
  bad(text: string): string;
  good(text: string): string;
  unsure(text: string): string;
  dim(text: string): string;
  strong(text: string): string;
}

function paint(open: number, close: number): (text: string) => string {
  return (text) => `\u001b[${open}m${text}\u001b[${close}m`;
}

const plain = (text: string): string => text;

export const noColours: Palette = { bad: plain, good: plain, unsure: plain, dim: plain, strong: plain };

export const colours: Palette = {
  bad: paint(31, 39),
  good: paint(32, 39),
  unsure: paint(33, 39),
  dim: paint(2, 22),
  strong: paint(1, 22),
};

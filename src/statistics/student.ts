import { bisect } from './bisect.ts';
import { requireShare } from './counts.ts';
import { incompleteBeta } from './incomplete-beta.ts';

/** The value below which the share `p` of Student's t with `degrees` of freedom lies. */
export function studentQuantile(p: number, degrees: number): number {
  requireShare('p', p);
  if (p < 0.5) return -studentQuantile(1 - p, degrees);
  if (p === 0.5) return 0;
  const upperTail = (t: number): number => incompleteBeta(degrees / (degrees + t * t), degrees / 2, 0.5) / 2;
  return bisect((t) => -upperTail(t), -(1 - p), 0, 1e12);
}

import { html, type SafeHtml } from '@remix-run/html-template';
import { packDiagnosis } from '../diagnosis.ts';
import type { PackApplicability } from '../report.ts';

const words: Readonly<Record<PackApplicability['state'], string>> = {
  applicable: 'applicable',
  notApplicable: 'not applicable',
  failedProof: 'not proven',
};
const looks: Readonly<Record<PackApplicability['state'], string>> = {
  applicable: 'passed',
  notApplicable: 'notApplicable',
  failedProof: 'error',
};

/** Which packs could be tried on this target. */
export function packSection(packs: readonly PackApplicability[]): SafeHtml | null {
  if (packs.length === 0) return null;
  const hint = packDiagnosis(packs);
  return html`<section class="table"><h2>Packs</h2>
<table><thead><tr><th scope="col">pack</th><th scope="col">state</th><th scope="col">missing</th></tr></thead>
<tbody>${packs.map(
    ({ pack, state, missing }) =>
      html`<tr><th scope="row">${pack}</th><td><span class="pill ${looks[state]}">${words[state]}</span></td><td>${missing.join(', ')}</td></tr>`,
  )}</tbody></table>
${hint === undefined ? null : html`<p class="aside">${hint.likely}; ${hint.next}</p>`}</section>
`;
}

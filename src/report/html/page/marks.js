// Leads to the spans that findings point at: the first one when the page opens, the others by key, button or link.
{
  const marked = [...document.querySelectorAll('.row.guilty:not(.folded)')];
  const button = document.getElementById('guilty');
  let at = -1;

  function pick(row, detail) {
    row.dispatchEvent(new CustomEvent('pick', { bubbles: true, detail }));
  }

  function jump(by) {
    const reachable = marked.filter((row) => !row.closest('.scenario').hidden);
    if (reachable.length === 0) return;
    at = (at + by + reachable.length) % reachable.length;
    pick(reachable[at], { centre: true });
  }

  function follow({ trace, span }, link) {
    const boxes = [...link.closest('.trial').querySelectorAll('.waterfall')].filter(
      (box) => box.dataset.trace === trace,
    );
    const rows = boxes.flatMap((box) => {
      const place = JSON.parse(box.querySelector('script').textContent).findIndex(([spanId]) => spanId === span);
      return place < 0 ? [] : [box.querySelector(`.row[data-at="${place}"]`)];
    });
    if (rows.length > 0) pick(rows[0], { centre: true });
  }

  button.hidden = marked.length === 0;
  button.addEventListener('click', () => jump(1));
  document.addEventListener('keydown', (event) => {
    if (event.target.matches('input') || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === 'n') jump(1);
    else if (event.key === 'p') jump(-1);
  });
  document.addEventListener('click', ({ target }) => {
    const link = target.closest('button.span');
    if (link !== null) follow(link.dataset, link);
  });
  // What did not pass is printed, whether or not it was looked at.
  addEventListener('beforeprint', () => {
    for (const box of document.querySelectorAll('details:is(.scenario, .trial):not([data-status="passed"])'))
      box.open = true;
  });
  const first = marked.find((row) => row.closest('.trial').open);
  if (first !== undefined) pick(first, { centre: true, focus: false });
}

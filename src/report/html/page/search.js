// Finds scenarios by their words, and spans by what stands in their row, their ids and facts; filters by status.
{
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const search = document.getElementById('search');
  const found = document.getElementById('found');
  const textsOf = new WeakMap();

  function look() {
    const words = search.value.trim().toLowerCase();
    const hidden = all('[data-filter][aria-pressed="false"]').map((button) => button.dataset.filter);
    let spans = 0;
    let scenarios = 0;
    for (const scenario of all('.scenario')) {
      const inside = all('.rows', scenario).reduce((sum, tree) => sum + lookInto(tree, words), 0);
      const fits = inside > 0 || scenario.dataset.words.includes(words);
      scenario.hidden = hidden.includes(scenario.dataset.status) || !fits;
      if (words !== '' && inside > 0) scenario.open = true;
      if (scenario.hidden) continue;
      spans += inside;
      scenarios += 1;
    }
    document.querySelector('.nothing').hidden = scenarios > 0 || all('.scenario').length === 0;
    found.textContent = words === '' ? '' : `${count(spans, 'span')} in ${count(scenarios, 'scenario')}`;
  }

  function lookInto(tree, words) {
    const rows = all('.row', tree);
    const texts = words === '' ? [] : searchable(tree, rows);
    const fits = new Set(rows.filter((_, at) => texts[at]?.includes(words)));
    tree.dispatchEvent(new CustomEvent('fits', { bubbles: true, detail: fits.size === 0 ? null : fits }));
    if (fits.size > 0) tree.closest('.trial').open = true;
    return fits.size;
  }

  function searchable(tree, rows) {
    if (!textsOf.has(tree)) {
      const data = JSON.parse(tree.closest('.waterfall').querySelector('script').textContent);
      const text = (row, at) => `${row.textContent} ${data[at][0] ?? ''} ${data[at][3].flat().join(' ')}`.toLowerCase();
      textsOf.set(tree, rows.map(text));
    }
    return textsOf.get(tree);
  }

  function count(number, noun) {
    return `${number.toLocaleString('en')} ${noun}${number === 1 ? '' : 's'}`;
  }

  function toFirstHit() {
    const row = found.textContent === '' ? undefined : all('.scenario:not([hidden]) .row:not([hidden])')[0];
    row?.dispatchEvent(new CustomEvent('pick', { bubbles: true, detail: { centre: true } }));
  }

  search.closest('.toolbar').hidden = false;
  search.addEventListener('input', look);
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === '/' && event.target !== search) search.focus();
    else if (event.key === 'Enter' && event.target === search) toFirstHit();
    else if (event.key === 'Escape' && search.value !== '') {
      search.value = '';
      look();
    } else return;
    event.preventDefault();
  });
  document.addEventListener('click', ({ target }) => {
    const button = target.closest('[data-filter]');
    if (button === null) return;
    button.setAttribute('aria-pressed', String(button.getAttribute('aria-pressed') === 'false'));
    look();
  });
}

// The spans of a trace as a tree (WAI-ARIA): chosen by click or arrow keys, folded, told of in a panel below.
// Asked from outside by events: `pick` on a row, `fits` on a tree with the rows that a search found.
{
  const all = (selector, root) => [...root.querySelectorAll(selector)];
  const levelOf = (row) => Number(row.getAttribute('aria-level'));
  const treeOf = (element) => element.closest('.rows');
  const isShown = (row) => !row.hidden;
  const fitting = new Map();
  const dataOf = new WeakMap();

  /** A row is hidden below a folded one; while a search finds something in its tree, all others are. */
  function refresh(tree) {
    const fits = fitting.get(tree);
    let foldedAt = Number.POSITIVE_INFINITY;
    for (const row of all('.row', tree)) {
      const level = levelOf(row);
      if (level <= foldedAt) foldedAt = Number.POSITIVE_INFINITY;
      row.hidden = fits === undefined ? level > foldedAt : !fits.has(row);
      if (row.getAttribute('aria-expanded') === 'false' && level < foldedAt) foldedAt = level;
    }
    for (const part of all('.chunk', tree)) part.hidden = ![...part.children].some(isShown);
  }

  function fold(row, open) {
    row.setAttribute('aria-expanded', String(open));
    refresh(treeOf(row));
  }

  function reveal(row) {
    for (let box = row.closest('details'); box !== null; box = box.parentElement.closest('details')) box.open = true;
    if (isShown(row)) return;
    const tree = treeOf(row);
    if (fitting.get(tree)?.has(row) === false) fitting.delete(tree);
    for (const other of all('[aria-expanded="false"]', tree)) other.setAttribute('aria-expanded', 'true');
    refresh(tree);
  }

  function pick(row, { centre = false, focus = true } = {}) {
    const tree = treeOf(row);
    reveal(row);
    for (const other of all('[aria-selected]', tree)) {
      other.removeAttribute('aria-selected');
      other.tabIndex = -1;
    }
    row.setAttribute('aria-selected', 'true');
    row.tabIndex = 0;
    tree.tabIndex = -1;
    describe(row);
    if (centre)
      tree.scrollTop += row.getBoundingClientRect().top - tree.getBoundingClientRect().top - tree.clientHeight / 2;
    if (focus) row.focus({ preventScroll: true });
    row.scrollIntoView({ block: 'nearest' });
    // Rows that come into sight are laid out only now, and may be higher than was thought.
    requestAnimationFrame(() => row.scrollIntoView({ block: 'nearest' }));
  }

  function describe(row) {
    const box = row.closest('.waterfall');
    if (!dataOf.has(box)) dataOf.set(box, JSON.parse(box.querySelector('script').textContent));
    const [spanId, startMs, durationMs, facts] = dataOf.get(box)[Number(row.dataset.at)];
    const times = [
      ['starts at', startMs],
      ['took', durationMs],
    ].flatMap(([name, ms]) => (ms === null ? [] : [[name, `${ms.toFixed(3)} ms`]]));
    const told = spanId === null ? [] : [['span', spanId], ...times, ...facts];
    const list = box.querySelector('.details');
    list.replaceChildren(...told.map(definition));
    list.hidden = told.length === 0;
  }

  function definition([name, value]) {
    const [box, term, text] = ['div', 'dt', 'dd'].map((tag) => document.createElement(tag));
    term.textContent = name;
    text.textContent = value;
    box.append(term, text);
    return box;
  }

  function onKey(event) {
    const tree = treeOf(event.target);
    if (tree === null || event.ctrlKey || event.metaKey || event.altKey) return;
    const next = targetOf(event.key, all('.row', tree).filter(isShown), event.target.closest('.row'));
    if (next === undefined) return;
    event.preventDefault();
    if (next !== null) pick(next);
  }

  /** `undefined` for a key that means nothing here, `null` where there is nowhere to go. */
  function targetOf(key, shown, row) {
    const at = shown.indexOf(row);
    const last = shown.length - 1;
    const moves = {
      ArrowDown: at + 1,
      ArrowUp: at - 1,
      Home: 0,
      End: last,
      PageDown: Math.min(at + 20, last),
      PageUp: Math.max(at - 20, 0),
    };
    if (Object.hasOwn(moves, key)) return shown[moves[key]] ?? null;
    if (row === null || !key.startsWith('Arrow')) return undefined;
    return key === 'ArrowRight' ? inwards(row, shown[at + 1]) : outwards(row, shown.slice(0, at));
  }

  function inwards(row, next) {
    if (row.getAttribute('aria-expanded') === 'true') return next ?? null;
    if (row.hasAttribute('aria-expanded')) fold(row, true);
    return null;
  }

  function outwards(row, before) {
    if (row.getAttribute('aria-expanded') !== 'true')
      return before.findLast((other) => levelOf(other) < levelOf(row)) ?? null;
    fold(row, false);
    return null;
  }

  function onClick(event) {
    const row = event.target.closest('.row');
    if (row === null) return;
    const name = event.target.closest('.n');
    const isTwisty =
      name !== null &&
      event.clientX < name.getBoundingClientRect().left + Number.parseFloat(getComputedStyle(name).paddingLeft);
    if (isTwisty && row.hasAttribute('aria-expanded')) fold(row, row.getAttribute('aria-expanded') === 'false');
    pick(row);
  }

  document.addEventListener('keydown', onKey);
  document.addEventListener('click', onClick);
  document.addEventListener('pick', ({ target, detail }) => pick(target, detail ?? {}));
  document.addEventListener('fits', ({ target, detail }) => {
    if (detail === null) fitting.delete(target);
    else fitting.set(target, detail);
    refresh(target);
  });
}

// One row in a process of its own: what ran before shapes what the engine makes of the code.
const { what, budget, unit, measure } = await import(process.argv[2]);
console.log(JSON.stringify({ what, budget: budget ?? null, unit: unit ?? '×', ...(await measure()) }));

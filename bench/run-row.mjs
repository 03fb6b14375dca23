// One row in a process of its own: what ran before shapes what the engine makes of the code.
const { what, budget, measure } = await import(process.argv[2]);
console.log(JSON.stringify({ what, budget: budget ?? null, ...(await measure()) }));

/** What evidence says of a claim. `insufficient` is an answer of its own: more runs would decide. */
export type Decision = 'pass' | 'fail' | 'insufficient';

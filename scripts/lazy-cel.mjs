// What the bundle of the CLI imports as ots-cel. Most projects have no rules, so the parser, the checker and the cost estimate
// load with the first rule. The generator is synchronous: it requires the module. build-cli.mjs replaces the import.
import { createRequire } from 'node:module';

export { escapeProperty } from '../packages/cel/src/escape-property.ts';
export { matchesPattern } from '../packages/cel/src/pattern/matches-pattern.ts';
export { parsePattern } from '../packages/cel/src/pattern/parse-pattern.ts';
export { expressionBudget, schemaBudget } from '../packages/cel/src/rules/rule-budgets.ts';
export { PatternError } from '../packages/cel/src/pattern/pattern-error.ts';

const load = createRequire(import.meta.url);
const cel = () => load('./cel.cjs');

export const checkCondition = (...args) => cel().checkCondition(...args);
export const checkRules = (...args) => cel().checkRules(...args);
export const validateRules = (...args) => cel().validateRules(...args);

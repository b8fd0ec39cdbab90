export type { Expr } from './ast.ts';

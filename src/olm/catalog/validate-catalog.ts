import type { Catalog } from './catalog.ts';
import type { CatalogFinding } from './finding.ts';
import { checkGraphs } from './validate-graphs.ts';
import { checkStructure } from './validate-structure.ts';

/** How far a catalog was checked: a part that cannot be read or does not fit hides what follows. */
export type Stage = 'reading' | 'structure' | 'graphs';

/** What is wrong with a catalog. It is valid without findings. */
export interface CatalogVerdict {
  /** The last stage that was checked. */
  readonly stage: Stage;
  readonly findings: readonly CatalogFinding[];
}

/**
 * Validates a catalog by the rules of `opm validate`, which reports the first finding only. Graphs are checked when the structure is right,
 * and the structure when everything could be read.
 */
export function validateCatalog(catalog: Catalog): CatalogVerdict {
  if (catalog.problems.length > 0) return { stage: 'reading', findings: catalog.problems };
  const { packages, findings } = checkStructure(catalog);
  if (findings.length > 0) return { stage: 'structure', findings };
  return { stage: 'graphs', findings: checkGraphs(packages) };
}

import type { OlmContext } from '../olm-context.ts';
import { addCatalogSourceController } from './catalogs/catalog-source-controller.ts';
import { addCsvController } from './operators/csv-controller.ts';
import { addOperatorGroupController } from './operators/operator-group-controller.ts';
import { addInstallPlanController } from './plans/install-plan-controller.ts';
import { addNamespaceController } from './resolution/namespace-controller.ts';
import { v0Context } from './v0-context.ts';

/** Adds the controllers of OLM v0: those of catalog-operator and of olm-operator. */
export function addV0Controllers(olm: OlmContext): void {
  const context = v0Context(olm);
  addCatalogSourceController(context);
  addNamespaceController(context);
  addInstallPlanController(context);
  addOperatorGroupController(context);
  addCsvController(context);
}

import type { Tree } from '../../scaffold/tree.ts';
import { stageTemplate } from './stage-templates.ts';

const path = 'config/manifests/kustomization.yaml';

/** Stages the kustomization that bundles are made from. One that exists stays as it is. */
export function stageBundleKustomization(tree: Tree, olmPackage: string): void {
  if (tree.exists(path)) return;
  stageTemplate(tree, `bundle/${path}`, path, {
    olmPackage,
    hasSamples: tree.exists('config/samples/kustomization.yaml'),
    hasScorecard: tree.exists('config/scorecard/kustomization.yaml'),
  });
}

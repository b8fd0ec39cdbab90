import type { Tree } from '../../scaffold/tree.ts';
import { addToKustomization } from './add-to-kustomization.ts';
import { stageTemplate, stageTemplates } from './stage-templates.ts';

const path = 'config/manifests/kustomization.yaml';

/** Stages the kustomization that bundles are made from. One that exists stays as it is, but for {@link stageOlmCertificate}. */
export function stageBundleKustomization(tree: Tree, olmPackage: string): void {
  if (!tree.exists(path)) {
    stageTemplate(tree, `bundle/${path}`, path, {
      olmPackage,
      hasSamples: tree.exists('config/samples/kustomization.yaml'),
      hasScorecard: tree.exists('config/scorecard/kustomization.yaml'),
    });
  }
  stageOlmCertificate(tree);
}

/**
 * Stages the component that leaves the certificate of webhooks to the Operator Lifecycle Manager, once: the author may remove it from
 * the kustomization. Does nothing if the project makes no bundles, or if the manager does not issue the certificate.
 */
export function stageOlmCertificate(tree: Tree): void {
  const isIssuer = /^\s*- *\.\.\/certificates *$/m.test(tree.read('config/default/kustomization.yaml') ?? '');
  if (!isIssuer || !tree.exists(path) || tree.exists('config/webhook/olm-certificate/kustomization.yaml'))
    return;
  stageTemplates(tree, 'bundle-webhook', {}, () => true);
  addToKustomization(tree, 'config/manifests', 'components', ['../webhook/olm-certificate']);
}

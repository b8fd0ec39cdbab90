/**
 * Files that ots scaffolded before projects recorded their scaffold, and does not scaffold anymore. The record names such files of later
 * versions.
 */
const retiredFiles = new Set([
  'config/certificates/authority-role-binding.yaml',
  'config/certificates/manager-args-patch.yaml',
  'config/certificates/secret-role-binding.yaml',
  'config/certificates/secret-role.yaml',
  'config/certmanager/ca-injection-patch.yaml',
  'config/certmanager/issuer.yaml',
  'config/certmanager/name-references.yaml',
  'config/webhook/conversion-patch.yaml',
  'config/webhook/manager-args-patch.yaml',
  'config/webhook/manager-patch.yaml',
  'config/webhook/mounted-certificate/manager-args-patch.yaml',
  'config/webhook/mounted-certificate/manager-patch.yaml',
  'scripts/operator.mjs',
]);

/** Whether a version of ots without records scaffolded a file at this path, and no later one does. */
export function isRetired(path: string): boolean {
  return retiredFiles.has(path);
}

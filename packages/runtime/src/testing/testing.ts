export { type AdmissionContextOptions, admissionContext } from './admission-context.ts';
export { observedChildren } from './observed-children.ts';
export { reconcileContext } from './reconcile-context.ts';

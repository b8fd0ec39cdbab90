export { type AdmissionContextOptions, admissionContext } from './admission-context.ts';
export { reconcileContext } from './reconcile-context.ts';

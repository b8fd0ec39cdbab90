export { type Violation, checkedPodOf } from './admission/pod-security/check.ts';
export { violationsOf } from './admission/pod-security/evaluate.ts';

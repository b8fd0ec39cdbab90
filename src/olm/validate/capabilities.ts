import { csvFinding } from './csv.ts';
import type { Validator } from './validator.ts';

const levels = ['Basic Install', 'Seamless Upgrades', 'Full Lifecycle', 'Deep Insights', 'Auto Pilot'];

/** The capability level, if the ClusterServiceVersion states one, is one that OperatorHub.io knows. */
export const validateCapabilities: Validator = ({ csv }) => {
  const level = csv?.csv.metadata?.annotations?.['capabilities'];
  if (!csv || level === undefined || levels.includes(level)) return [];
  const detail = `metadata.annotations.capabilities is "${level}", not one of ${levels.join(', ')}`;
  return [csvFinding('standardcapabilities', csv, 'error', detail)];
};

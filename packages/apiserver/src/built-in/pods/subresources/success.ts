import type { Status } from '../../../status/status-error.ts';

/** The answer to a completed action. */
export const success: Status = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  code: 201,
};

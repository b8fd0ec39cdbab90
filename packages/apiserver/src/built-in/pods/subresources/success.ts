import type { Status } from '../../../status/status-error.ts';

/** The answer to what was sent to be done, and is done. */
export const success: Status = {
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Success',
  code: 201,
};

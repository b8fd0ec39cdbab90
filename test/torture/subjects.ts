import { cleansUpByName } from './operators/cleans-up-by-name.ts';
import { cleansUpWhileScalingDown } from './operators/cleans-up-while-scaling-down.ts';
import { createsSecondSecretWithFirst } from './operators/creates-second-secret-with-first.ts';
import { deletesClaimByName } from './operators/deletes-claim-by-name.ts';
import { deletesClaimOfSeenTermination } from './operators/deletes-claim-of-seen-termination.ts';
import { deletesClaimsWithoutPods } from './operators/deletes-claims-without-pods.ts';
import { forgetsReversedDecommission } from './operators/forgets-reversed-decommission.ts';
import { goesOnWithoutFinalizer } from './operators/goes-on-without-finalizer.ts';
import { growsVolumesAfterDeletion } from './operators/grows-volumes-after-deletion.ts';
import { issuesCertificateWithAuthority } from './operators/issues-certificate-with-authority.ts';
import { keepsOldLimits } from './operators/keeps-old-limits.ts';
import { keepsOperationInMemory } from './operators/keeps-operation-in-memory.ts';
import { marksRestartAfterConfig } from './operators/marks-restart-after-config.ts';
import { mergesLabels } from './operators/merges-labels.ts';
import { parksNewStatefulSet } from './operators/parks-new-statefulset.ts';
import { readsOmittedField } from './operators/reads-omitted-field.ts';
import { replacesOnAnyOtherCapacity } from './operators/replaces-on-any-other-capacity.ts';
import { reportsOnlyOtherValues } from './operators/reports-only-other-values.ts';
import { selectsClaimsByName } from './operators/selects-claims-by-name.ts';
import { splitsStatusWrite } from './operators/splits-status-write.ts';
import { trustsOldReplicaCount } from './operators/trusts-old-replica-count.ts';
import { waitsBeforeItRepairs } from './operators/waits-before-it-repairs.ts';
import { waitsForRunningJob } from './operators/waits-for-running-job.ts';
import { writesBackReplicaCount } from './operators/writes-back-replica-count.ts';
import type { Subject } from './subject.ts';

/** The operators with known bugs, by their file, in the order of the study. */
export const subjects: Readonly<Record<string, Subject>> = {
  'grows-volumes-after-deletion': growsVolumesAfterDeletion,
  'parks-new-statefulset': parksNewStatefulSet,
  'keeps-operation-in-memory': keepsOperationInMemory,
  'marks-restart-after-config': marksRestartAfterConfig,
  'splits-status-write': splitsStatusWrite,
  'creates-second-secret-with-first': createsSecondSecretWithFirst,
  'issues-certificate-with-authority': issuesCertificateWithAuthority,
  'cleans-up-by-name': cleansUpByName,
  'replaces-on-any-other-capacity': replacesOnAnyOtherCapacity,
  'selects-claims-by-name': selectsClaimsByName,
  'trusts-old-replica-count': trustsOldReplicaCount,
  'deletes-claim-by-name': deletesClaimByName,
  'deletes-claims-without-pods': deletesClaimsWithoutPods,
  'writes-back-replica-count': writesBackReplicaCount,
  'reports-only-other-values': reportsOnlyOtherValues,
  'cleans-up-while-scaling-down': cleansUpWhileScalingDown,
  'deletes-claim-of-seen-termination': deletesClaimOfSeenTermination,
  'waits-for-running-job': waitsForRunningJob,
  'goes-on-without-finalizer': goesOnWithoutFinalizer,
  'forgets-reversed-decommission': forgetsReversedDecommission,
  'waits-before-it-repairs': waitsBeforeItRepairs,
  'merges-labels': mergesLabels,
  'reads-omitted-field': readsOmittedField,
  'keeps-old-limits': keepsOldLimits,
};

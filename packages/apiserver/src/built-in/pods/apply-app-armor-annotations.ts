import type { AppArmorProfile, Pod } from 'ots-kubernetes/core/v1';
import { jsonEqual } from '../../json/json-equal.ts';
import { containersOf } from './containers-of.ts';
import { appArmorPrefix } from './validation/validate-pod-annotations.ts';

/** Sets the AppArmor fields from the older annotations. Changes the pod. */
export function applyAppArmorAnnotations({ metadata, spec }: Pod): void {
  const { annotations } = metadata ?? {};
  if (!spec || !annotations || spec.os?.name === 'windows') return;
  for (const { container } of containersOf(spec)) {
    const annotation = annotations[`${appArmorPrefix}${container.name}`];
    if (annotation === undefined || container.securityContext?.appArmorProfile) continue;
    const profile = profileOf(annotation);
    if (!profile || jsonEqual(profile, spec.securityContext?.appArmorProfile)) continue;
    container.securityContext = { ...container.securityContext, appArmorProfile: profile };
  }
}

function profileOf(annotation: string): AppArmorProfile | undefined {
  if (annotation === 'unconfined') return { type: 'Unconfined' };
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' };
  const [, localhostProfile = ''] = /^localhost\/(.*)$/s.exec(annotation) ?? [];
  if (localhostProfile === '' || localhostProfile.trim() !== localhostProfile) return undefined;
  return { type: 'Localhost', localhostProfile };
}

import type {
  VolumeAttachment,
  VolumeAttachmentSource,
  VolumeAttachmentSpec,
  VolumeAttachmentStatus,
  VolumeError,
} from 'ots-kubernetes/storage/v1';
import { subdomain } from 'ots-apimachinery/names';
import { type FieldError, forbidden, invalid, required, tooLong } from '../../../status/field-error.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { BuiltInStrategy } from '../../../registry/built-in-strategy.ts';
import { keepMetadata } from '../../keep-metadata.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { validateImmutable } from '../../validation/validate-immutable.ts';
import { validateDriverName } from './validate-driver-name.ts';

const maxMetadataBytes = 256 * 1024;
const maxMessageLength = 1024;

/** VolumeAttachments: a volume to attach to a node. The spec is immutable. */
export class VolumeAttachmentStrategy extends BuiltInStrategy {
  override prepareForStatusUpdate(
    object: BuiltInObject<VolumeAttachment>,
    old: BuiltInObject<VolumeAttachment>,
  ): void {
    super.prepareForStatusUpdate(object, old);
    keepMetadata(object, old);
  }

  override validate({ spec, status }: BuiltInObject<VolumeAttachment>): FieldError[] {
    const { attacher, nodeName, source } = spec;
    return [
      ...validateDriverName(attacher, 'spec.attacher'),
      ...validateSource(source ?? {}),
      ...errorsOfRule('spec.nodeName', nodeName, subdomain),
      ...(status ? validateStatus(status) : []),
    ];
  }

  override validateUpdate(
    object: BuiltInObject<VolumeAttachment>,
    old: BuiltInObject<VolumeAttachment>,
  ): FieldError[] {
    return [...this.validate(object), ...validateImmutable('spec', inGo(object.spec), inGo(old.spec))];
  }

  override validateStatusUpdate(
    object: BuiltInObject<VolumeAttachment>,
    old: BuiltInObject<VolumeAttachment>,
  ): FieldError[] {
    return this.validateUpdate(object, old);
  }
}

/** The spec as messages show it. */
function inGo({ attacher, source, nodeName }: VolumeAttachmentSpec): object {
  const { persistentVolumeName = null, inlineVolumeSpec = null } = source ?? {};
  return {
    Attacher: attacher,
    Source: { PersistentVolumeName: persistentVolumeName, InlineVolumeSpec: inlineVolumeSpec },
    NodeName: nodeName,
  };
}

function validateSource({
  persistentVolumeName: name,
  inlineVolumeSpec,
}: VolumeAttachmentSource): FieldError[] {
  const field = 'spec.source';
  const one = 'must specify exactly one of inlineVolumeSpec and persistentVolumeName';
  const badName = name === undefined ? [] : errorsOfRule(`${field}.persistentVolumeName`, name, subdomain);
  if (inlineVolumeSpec) return name === undefined ? [] : [forbidden(field, one), ...badName];
  if (name === undefined) return [required(field, one)];
  if (name === '')
    return [
      required(`${field}.persistentVolumeName`, 'must specify non empty persistentVolumeName'),
      ...badName,
    ];
  return badName;
}

function validateStatus(status: VolumeAttachmentStatus): FieldError[] {
  const { attachmentMetadata = {}, attachError, detachError } = status;
  const size = Object.entries(attachmentMetadata)
    .flat()
    .reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return [
    ...(size > maxMetadataBytes ? [tooLong('status.attachmentMetadata', maxMetadataBytes)] : []),
    ...validateVolumeError(attachError ?? {}, 'status.attachError'),
    ...validateVolumeError(detachError ?? {}, 'status.detachError'),
  ];
}

function validateVolumeError({ message = '', errorCode = 0 }: VolumeError, path: string): FieldError[] {
  return [
    // A real server states this limit where it applies the other.
    ...(Buffer.byteLength(message) > maxMessageLength ? [tooLong(`${path}.message`, maxMetadataBytes)] : []),
    ...(errorCode < 0
      ? [invalid(`${path}.errorCode`, errorCode, 'must be between 0 and 2147483647, inclusive')]
      : []),
  ];
}

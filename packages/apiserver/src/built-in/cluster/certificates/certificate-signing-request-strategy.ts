import type { UserInfo } from '../../../authentication/user-info.ts';
import type {
  CertificateSigningRequest,
  CertificateSigningRequestCondition,
} from 'ots-kubernetes/certificates/v1';
import type { Clock } from 'ots-apimachinery/clock/clock';
import { pathSegment } from 'ots-apimachinery/names';
import { jsonEqual } from '../../../json/json-equal.ts';
import type { UpdateRules } from '../../../registry/strategy.ts';
import { type FieldError, forbidden, invalid } from '../../../status/field-error.ts';
import type { BuiltInObject } from '../../../json/built-in-object.ts';
import { BuiltInStrategy, type BuiltInTraits } from '../../../registry/built-in-strategy.ts';
import { timeOf } from '../../../registry/machinery.ts';
import { errorsOfRule } from '../../validation/errors-of-rule.ts';
import { faultOfCertificate } from './fault-of-certificate.ts';
import { validateCsrConditions } from './validate-csr-conditions.ts';
import { validateCsrSpec } from './validate-csr-spec.ts';

type Csr = BuiltInObject<CertificateSigningRequest>;

/** The parts of the status that an endpoint may write. */
interface Rights {
  approval: boolean;
  certificate: boolean;
}

const decisions = ['Approved', 'Denied'];

/** CertificateSigningRequests: the spec is immutable; `/approval` decides, `/status` delivers the certificate. */
export class CertificateSigningRequestStrategy extends BuiltInStrategy {
  override readonly updateRules: ReadonlyMap<string, UpdateRules> = new Map([
    [
      'approval',
      {
        prepare: (object: Csr, old: Csr) => this.#prepareForApproval(object, old),
        validate: (object: Csr, old: Csr) =>
          validateChange(object, old, { approval: true, certificate: false }),
      },
    ],
  ]);
  readonly #clock: Clock;

  constructor(traits: BuiltInTraits, clock: Clock) {
    super(traits);
    this.#clock = clock;
  }

  override prepareForCreate(object: Csr): void {
    super.prepareForCreate(object);
    for (const field of ['username', 'uid', 'groups', 'extra'] as const) delete object.spec[field];
  }

  /** Whom the certificate would be for is a question of authentication, not of the body. */
  override recordCreator({ spec }: Csr, { name, uid, groups, extra }: UserInfo): void {
    spec.username = name;
    if (uid !== undefined) spec.uid = uid;
    spec.groups = [...groups];
    if (extra)
      spec.extra = Object.fromEntries(Object.entries(extra).map(([key, values]) => [key, [...values]]));
  }

  override prepareForUpdate(object: Csr, old: Csr): void {
    super.prepareForUpdate(object, old);
    object.spec = old.spec;
  }

  override prepareForStatusUpdate(object: Csr, old: Csr): void {
    super.prepareForStatusUpdate(object, old);
    for (const type of decisions) keepConditions(object, old, type);
    this.#dateConditions(object, old);
  }

  override validate(object: Csr): FieldError[] {
    const errors = [...validateCsrSpec(object.spec), ...validateCsrConditions(conditionsOf(object), [])];
    return errors.length > 0
      ? errors
      : errorsOfRule('metadata.name', object.metadata.name ?? '', pathSegment);
  }

  override validateUpdate(object: Csr, old: Csr): FieldError[] {
    return validateChange(object, old, { approval: false, certificate: false });
  }

  override validateStatusUpdate(object: Csr, old: Csr): FieldError[] {
    return validateChange(object, old, { approval: false, certificate: true });
  }

  #prepareForApproval(object: Csr, old: Csr): void {
    const conditions = conditionsOf(object);
    super.prepareForStatusUpdate(object, old);
    this.#dateConditions(object, old);
    object.status = { ...old.status };
    if (conditions.length > 0) object.status.conditions = conditions;
    else delete object.status.conditions;
  }

  /** Sets missing times of conditions. Changes them. */
  #dateConditions(object: Csr, old: Csr): void {
    const now = timeOf(new Date(this.#clock.epoch()));
    for (const condition of conditionsOf(object)) {
      const same = conditionsOfType(old, condition.type).find(({ status }) => status === condition.status);
      condition.lastUpdateTime ??= now;
      condition.lastTransitionTime ??= same?.lastTransitionTime ?? now;
    }
  }
}

function conditionsOf({ status }: CertificateSigningRequest): CertificateSigningRequestCondition[] {
  return status?.conditions ?? [];
}

function conditionsOfType(
  object: CertificateSigningRequest,
  type: string,
): CertificateSigningRequestCondition[] {
  return conditionsOf(object).filter((condition) => condition.type === type);
}

/** Keeps the conditions of a type if their number is unchanged. Changes the object. */
function keepConditions(object: Csr, old: Csr, type: string): void {
  const before = conditionsOfType(old, type);
  if (!object.status?.conditions || conditionsOfType(object, type).length !== before.length) return;
  object.status.conditions = object.status.conditions.map((condition) =>
    condition.type === type ? (before.shift() ?? condition) : condition,
  );
}

function validateChange(object: Csr, old: Csr, rights: Rights): FieldError[] {
  return [
    ...validateCsrSpec(object.spec, old.spec),
    ...validateCsrConditions(conditionsOf(object), conditionsOf(old)),
    ...[...decisions, 'Failed'].flatMap((type) => validateDecision(object, old, type, rights)),
    ...validateCertificate(object.status?.certificate ?? '', old.status?.certificate ?? '', rights),
  ];
}

function validateDecision(object: Csr, old: Csr, type: string, { approval }: Rights): FieldError[] {
  const now = conditionsOfType(object, type);
  const before = conditionsOfType(old, type);
  const refuse = (what: string) => [
    forbidden('status.conditions', `updates may not ${what} a condition of type "${type}"`),
  ];
  if (now.length < before.length) return refuse('remove');
  if (approval || type === 'Failed') return [];
  if (now.length > before.length) return refuse('add');
  return jsonEqual(now, before) ? [] : refuse('modify');
}

function validateCertificate(certificate: string, old: string, rights: Rights): FieldError[] {
  const field = 'status.certificate';
  if (certificate === old) return [];
  const fault = faultOfCertificate(Buffer.from(old, 'base64'))
    ? undefined
    : faultOfCertificate(Buffer.from(certificate, 'base64'));
  return [
    ...(fault === undefined ? [] : [invalid(field, '<certificate data>', fault)]),
    ...(rights.certificate ? [] : [forbidden(field, 'updates may not set certificate content')]),
    ...(rights.certificate && old !== ''
      ? [forbidden(field, 'updates may not modify existing certificate content')]
      : []),
  ];
}

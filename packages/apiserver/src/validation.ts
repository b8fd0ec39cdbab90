export { reviewVersions, webhookChoices } from './built-in/cluster/admission/validate-webhook.ts';
export { validateNewWebhook } from './built-in/cluster/admission/validate-new-webhook.ts';
export { SchemaValidator, validateValue } from './crd/schema/schema-validator.ts';
export type { FieldError } from './status/field-error.ts';

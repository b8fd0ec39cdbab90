import { OtsError } from '../../errors/ots-error.ts';
import { isMailAddress } from '../../olm/validate/mail-address.ts';
import { quoted } from '../../project/names/quoted.ts';

/** A maintainer as a ClusterServiceVersion has it. */
interface Maintainer {
  readonly name: string;
  readonly email: string;
}

/**
 * Reads `name:address`, comma-separated.
 *
 * @throws OtsError `INVALID_MAINTAINERS`
 */
export function parseMaintainers(text: string): Maintainer[] {
  const parts = text.split(',').map((part) => part.trim());
  return parts.map((part) => {
    const colon = part.lastIndexOf(':');
    const [name, email] = [part.slice(0, Math.max(colon, 0)).trim(), part.slice(colon + 1).trim()];
    if (name !== '' && isMailAddress(email)) return { name, email };
    throw new OtsError(
      'INVALID_MAINTAINERS',
      `${quoted(part)} is not a maintainer: ${name === '' ? 'the name is missing' : 'the mail address is not valid'}`,
      { hint: 'Write a name, a colon and a mail address, such as "Ada Lovelace:ada@example.com".' },
    );
  });
}

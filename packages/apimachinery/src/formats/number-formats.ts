const creditCard =
  /^(?:4\d{12}(?:\d{3})?|5[1-5]\d{14}|6(?:011|5\d\d)\d{12}|3[47]\d{13}|3(?:0[0-5]|[68]\d)\d{11}|(?:2131|1800|35\d{3})\d{11})$/;

/** Digits separated by anything; checks the Luhn sum. */
export function isCreditCard(text: string): boolean {
  const digits = text.replaceAll(/\D+/g, '');
  if (!creditCard.test(digits)) return false;
  let sum = 0;
  for (const [index, digit] of Array.from(digits).toReversed().entries()) {
    const value = Number(digit) * (index % 2 === 0 ? 1 : 2);
    sum += value >= 10 ? (value % 10) + 1 : value;
  }
  return sum % 10 === 0;
}

/** Ignores hyphens and white space. */
export function isIsbn10(text: string): boolean {
  const digits = compact(text);
  if (!/^(?:\d{9}X|\d{10})$/.test(digits)) return false;
  let sum = 0;
  for (const [index, digit] of Array.from(digits).entries())
    sum += (index === 9 ? 10 : index + 1) * (digit === 'X' ? 10 : Number(digit));
  return sum % 11 === 0;
}

/** Ignores hyphens and white space. */
export function isIsbn13(text: string): boolean {
  const digits = compact(text);
  if (!/^\d{13}$/.test(digits)) return false;
  let sum = 0;
  for (const [index, digit] of Array.from(digits).entries()) sum += Number(digit) * (index % 2 === 0 ? 1 : 3);
  return sum % 10 === 0;
}

function compact(text: string): string {
  return text.replaceAll(/[\s-]+/g, '');
}

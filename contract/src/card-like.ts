/** First digits of the card schemes (docs/rails.md#card-data): Visa, Mastercard, American Express, Discover, RuPay. */
const CARD_PREFIX = /^(?:4|5[1-5]|2(?:22[1-9]|2[3-9]\d|[3-6]\d\d|7[01]\d|720)|3[47]|60|65|81|82)/;

/**
 * Whether an account number could be a payment card's, which we never take: 13 to 19 digits, Luhn-valid, with the prefix of a
 * card scheme. One account number in ten passes Luhn, so a match is a question to whoever enters the number, not a refusal.
 */
export function looksLikeCard(digits: string): boolean {
  return /^\d{13,19}$/.test(digits) && CARD_PREFIX.test(digits) && luhnValid(digits);
}

function luhnValid(digits: string): boolean {
  const sum = Array.from(digits)
    .reverse()
    .reduce((total, digit, place) => {
      const value = Number(digit) * (place % 2 === 1 ? 2 : 1);
      return total + (value > 9 ? value - 9 : value);
    }, 0);
  return sum % 10 === 0;
}

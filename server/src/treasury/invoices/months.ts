/** Months are written as their first day, `YYYY-MM-01`. */

export const monthOf = (day: string): string => `${day.slice(0, 7)}-01`;

export function monthAfter(month: string, months = 1): string {
  const at = Number(month.slice(0, 4)) * 12 + Number(month.slice(5, 7)) - 1 + months;
  return `${Math.floor(at / 12)}-${String((at % 12) + 1).padStart(2, '0')}-01`;
}

/** The year in which the financial year of a day begins. A financial year runs from April to March. */
export const financialYearOf = (day: string): number =>
  Number(day.slice(0, 4)) - (Number(day.slice(5, 7)) < 4 ? 1 : 0);

/** `2026-27/000042` */
export const invoiceNumber = (year: number, number: number): string =>
  `${year}-${String((year + 1) % 100).padStart(2, '0')}/${String(number).padStart(6, '0')}`;

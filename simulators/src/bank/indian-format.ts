const MINUTE = 60_000;
const INDIA_OFFSET = 330 * MINUTE;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const two = (value: number): string => String(value).padStart(2, '0');

/** The parts that banks build their dates from, in Indian time, whatever the machine's zone is. */
export function indianTime(at: Date) {
  const local = new Date(at.getTime() + INDIA_OFFSET);
  const day = two(local.getUTCDate());
  const month = two(local.getUTCMonth() + 1);
  const monthName = months[local.getUTCMonth()] ?? '';
  const year = String(local.getUTCFullYear());
  const clock = `${two(local.getUTCHours())}:${two(local.getUTCMinutes())}:${two(local.getUTCSeconds())}`;
  return {
    clock,
    /** 05-04-26 */
    dashed: `${day}-${month}-${year.slice(2)}`,
    /** 05-04-2026 */
    dashedLong: `${day}-${month}-${year}`,
    /** 05/04/26 */
    slashed: `${day}/${month}/${year.slice(2)}`,
    /** 05/04/2026 */
    slashedLong: `${day}/${month}/${year}`,
    /** 05Apr26 */
    tight: `${day}${monthName}${year.slice(2)}`,
    /** 05-Apr-26 */
    named: `${day}-${monthName}-${year.slice(2)}`,
    /** 05-APR-2026 */
    namedLong: `${day}-${monthName.toUpperCase()}-${year}`,
  };
}

/** `100000.00` of paise. */
export function plainRupees(paise: bigint): string {
  const absolute = paise < 0n ? -paise : paise;
  return `${paise < 0n ? '-' : ''}${absolute / 100n}.${String(absolute % 100n).padStart(2, '0')}`;
}

/** `1,00,000.00` of paise: hundreds of thousands grouped in twos. */
export function groupedRupees(paise: bigint): string {
  return plainRupees(paise).replace(/\B(?=(?:\d\d)*\d{3}\.)/g, ',');
}

/** `100000` when there are no paise, as UPI messages of some banks print. */
export function shortRupees(paise: bigint): string {
  return plainRupees(paise).replace(/\.00$/, '');
}

import type { Random } from './random.ts';

const FIRST = [
  'Asha',
  'Ravi',
  'Sunita',
  'Imran',
  'Priya',
  'Karthik',
  'Neha',
  'Joseph',
  'Lakshmi',
  'Harpreet',
  'Anil',
  'Fatima',
  'Deepak',
  'Shreya',
  'Manoj',
  'Pooja',
  'Vikram',
  'Rekha',
  'Suresh',
  'Nisha',
  'Gopal',
  'Ayesha',
  'Ramesh',
  'Divya',
];
const LAST = [
  'Rao',
  'Sharma',
  'Patil',
  'Khan',
  'Nair',
  'Reddy',
  'Gupta',
  'DSouza',
  'Iyer',
  'Singh',
  'Joshi',
  'Das',
  'Mehta',
  'Verma',
  'Kulkarni',
  'Pillai',
  'Chauhan',
  'Bose',
  'Naidu',
  'Shetty',
];
const HANDLES = ['okaxis', 'oksbi', 'okhdfcbank', 'okicici', 'ybl', 'paytm', 'ibl', 'axl'];
/** Address ranges of mobile networks. The last two octets vary. */
const NETWORKS = ['49.36', '106.195', '117.97', '157.48', '223.187', '152.58', '27.59', '110.224'];

export interface Payer {
  readonly name: string;
  readonly vpa: string;
  readonly ip: string;
}

export function makePayers(count: number, random: Random): Payer[] {
  return Array.from({ length: count }, () => {
    const [first, last] = [random.pick(FIRST), random.pick(LAST)];
    const handle = `${first}.${last}${random.chance(0.6) ? random.int(1, 99) : ''}`.toLowerCase();
    return {
      name: `${first} ${last}`,
      vpa: `${handle}@${random.pick(HANDLES)}`,
      ip: `${random.pick(NETWORKS)}.${random.int(1, 254)}.${random.int(1, 254)}`,
    };
  });
}

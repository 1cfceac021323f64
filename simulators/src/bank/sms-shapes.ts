import {
  anyRail,
  groupedBalance,
  instant,
  plainBalance,
  shape,
  withRef,
  type SimulatedBank,
  type SmsShape,
} from './sms-shape.ts';

/**
 * Our own texts in the style of each bank. Like the banks' own texts, some never print a balance or a reference, even if the caller
 * gives one.
 */
export const smsShapes: Readonly<
  Record<SimulatedBank, Readonly<Record<'credit' | 'debit', readonly SmsShape[]>>>
> = {
  HDFC: {
    credit: [
      shape(
        'VM-HDFCBK-S',
        ['upi'],
        (f) =>
          `Credit Alert!\nRs.${f.plain} credited to HDFC Bank A/c XX${f.tail} on ${f.on.dashed} from VPA ${f.vpa}${withRef(f, (ref) => ` (UPI ${ref})`)}`,
      ),
      shape(
        'AD-HDFCBK-S',
        ['neft'],
        (f) =>
          `Update! INR ${f.grouped} deposited in HDFC Bank A/c XX${f.tail} on ${f.on.named.toUpperCase()} for NEFT Cr-TEST0000123-${f.name}-${withRef(f, (ref) => ref)}.${groupedBalance(f, (b) => `Avl bal INR ${b}. `)}Cheque deposits in A/C are subject to clearing`,
      ),
      shape(
        'JD-HDFCBK-T',
        ['imps'],
        (f) =>
          `HDFC Bank: INR ${f.grouped} credited to a/c XXXXXX${f.tail} on ${f.on.dashed} by a/c linked to mobile 9XXXXXX000${withRef(f, (ref) => ` (IMPS Ref No. ${ref})`)}${groupedBalance(f, (b) => ` Avl bal: INR ${b}`)}`,
      ),
    ],
    debit: [
      shape(
        'VM-HDFCBK-S',
        ['upi'],
        (f) =>
          `Sent Rs.${f.plain}\nFrom HDFC Bank A/C *${f.tail}\nTo ${f.name}\nOn ${f.on.slashed}\n${withRef(f, (ref) => `Ref ${ref}\n`)}Not You?\nCall 18002586161/SMS BLOCK UPI to 7308080808`,
      ),
      shape(
        'AD-HDFCBK-S',
        ['imps'],
        (f) =>
          `IMPS INR ${f.grouped}\nsent from HDFC Bank A/c XX${f.tail} on ${f.on.dashed}\nTo A/c xxxxxxxx5678\n${withRef(f, (ref) => `Ref-${ref}\n`)}Not you?Call 18002586161`,
      ),
      shape(
        'AD-HDFCBK-T',
        ['neft'],
        (f) =>
          `UPDATE: INR ${f.grouped} debited from HDFC Bank XX${f.tail} on ${f.on.named.toUpperCase()}. Info: NEFT to ${f.name}.${groupedBalance(f, (b) => ` Avl bal:INR ${b}`)}`,
      ),
    ],
  },
  SBI: {
    credit: [
      shape(
        'VM-SBIUPI-S',
        ['upi'],
        (f) =>
          `Dear SBI User, your A/c X${f.tail}-credited by Rs.${f.short} on ${f.on.tight} transfer from ${f.name}${withRef(f, (ref) => ` Ref No ${ref}`)} -SBI`,
      ),
      shape(
        'JD-CBSSBI-S',
        anyRail,
        (f) =>
          `Dear Customer, Your A/C XXXXX1${f.tail} has a credit by Transfer of Rs ${f.grouped} on ${f.on.slashed} by ${f.name}.${groupedBalance(f, (b) => ` Avl Bal Rs ${b}.`)}-SBI`,
      ),
      shape(
        'AX-SBIINB-S',
        ['neft'],
        (f) =>
          `Dear Customer, INR ${f.grouped} credited to your A/c No XX${f.tail} on ${f.on.slashedLong} through NEFT${withRef(f, (ref) => ` with UTR ${ref}`)} by ${f.name}-SBI`,
      ),
      shape(
        'AX-SBIPSG-S',
        ['imps'],
        (f) =>
          `Your a/c no. XXXXXXXX${f.tail} is credited by Rs.${f.plain} on ${f.on.dashed} by a/c linked to mobile 9XXXXXX000${withRef(f, (ref) => ` (IMPS Ref no ${ref})`)}.-SBI`,
      ),
    ],
    debit: [
      shape(
        'AD-SBIUPI-S',
        ['upi'],
        (f) =>
          `Dear UPI user A/C X${f.tail} debited by ${f.short} on date ${f.on.tight} trf to ${f.name}${withRef(f, (ref) => ` Refno ${ref}`)}. If not u? call-1800111109 for other services-18001234-SBI`,
      ),
      shape(
        'BW-CBSSBI-S',
        anyRail,
        (f) =>
          `Dear Customer, Your A/C XXXXX1${f.tail} has a debit by transfer of Rs ${f.grouped} on ${f.on.slashed}.${groupedBalance(f, (b) => ` Avl Bal Rs ${b}.`)}-SBI`,
      ),
      shape(
        'AX-SBIINB-S',
        ['imps'],
        (f) =>
          `Your a/c no. XXXXXXXX${f.tail} is debited for Rs.${f.plain} on ${f.on.dashed} and a/c XXXXXXX812 credited${withRef(f, (ref) => ` (IMPS Ref no ${ref})`)}.-SBI`,
      ),
    ],
  },
  ICICI: {
    credit: [
      shape(
        'AX-ICICIT-S',
        ['upi'],
        (f) =>
          `Dear Customer, Acct XX${f.tail} is credited with Rs ${f.plain} on ${f.on.named} from ${f.name}.${withRef(f, (ref) => ` UPI:${ref}`)}-ICICI Bank.`,
      ),
      shape(
        'AX-ICICIB-S',
        ['neft'],
        (f) =>
          `ICICI Bank Account XX${f.tail} credited:Rs. ${f.grouped} on ${f.on.named}.${withRef(f, (ref) => ` Info NEFT-${ref}-${f.name}.`)}${groupedBalance(f, (b) => ` Available Balance is Rs. ${b}.`)}`,
      ),
      shape(
        'AX-ICICIB-S',
        ['imps'],
        (f) =>
          `ICICI Bank Account XX${f.tail} is credited with Rs ${f.grouped} on ${f.on.named} by Account linked to mobile number XXXXX00000.${withRef(f, (ref) => ` IMPS Ref. no. ${ref}.`)}${groupedBalance(f, (b) => ` The Available Balance is Rs ${b}.`)}`,
      ),
    ],
    debit: [
      shape(
        'AX-ICICIB-S',
        ['upi'],
        (f) =>
          `ICICI Bank Acct XX${f.tail} debited for Rs ${f.plain} on ${f.on.named}; ${f.name} credited.${withRef(f, (ref) => ` UPI:${ref}.`)} Call 18002662 for dispute. SMS BLOCK ${f.tail} to 9215676766.`,
      ),
      shape(
        'AX-ICICIT-S',
        ['imps'],
        (f) =>
          `ICICI Bank Acct XX${f.tail} debited with Rs ${f.grouped} on ${f.on.named} & Acct XX456 credited.${withRef(f, (ref) => `IMPS:${ref}.`)} Call 18002662 for dispute`,
      ),
      shape(
        'AX-ICICIB-S',
        ['neft'],
        (f) =>
          `Dear Customer, ICICI Bank Account XX${f.tail} is debited with INR ${f.grouped} on ${f.on.named.toUpperCase()}. Info: BIL*NEFT*0005.${groupedBalance(f, (b) => ` The Available Balance is INR ${b}.`)} Call 18002662 for dispute`,
      ),
    ],
  },
  Axis: {
    credit: [
      shape(
        'AX-AXISBK-S',
        ['upi'],
        (f) =>
          `INR ${f.plain} credited\nA/c no. XX${f.tail}\n${f.on.dashed}, ${f.on.clock} IST\n${withRef(f, (ref) => `UPI/P2A/${ref}/${f.name}/TEST BANK - `)}Axis Bank`,
      ),
      shape(
        'JD-AXISBK-S',
        ['neft'],
        (f) =>
          `INR ${f.plain} credited to A/c no. XX${f.tail} on ${f.on.dashed} at ${f.on.clock} IST.${withRef(f, (ref) => ` Info- NEFT/${ref}/${f.name}.`)}${plainBalance(f, (b) => ` Avl Bal- INR ${b}`)} - Axis Bank`,
      ),
      shape(
        'AX-AXISBK-T',
        ['imps'],
        (f) =>
          `INR ${f.grouped} credited to A/c no. XX${f.tail} on ${f.on.dashed} at ${f.on.clock} IST.${withRef(f, (ref) => ` Info: IMPS/P2A/${ref}/${f.name}.`)} - Axis Bank`,
      ),
    ],
    debit: [
      shape(
        'AX-AXISBK-S',
        ['upi'],
        (f) =>
          `INR ${f.plain} debited\nA/c no. XX${f.tail}\n${f.on.dashed}, ${f.on.clock}\n${withRef(f, (ref) => `UPI/P2M/${ref}/${f.name}\n`)}Not you? SMS BLOCKUPI Cust ID to 919951860002\nAxis Bank`,
      ),
      shape(
        'JD-AXISBK-S',
        anyRail,
        (f) =>
          `INR ${f.plain} debited from A/c no. XX${f.tail} on ${f.name} ${f.on.dashedLong} ${f.on.clock} IST.${plainBalance(f, (b) => ` Avl bal: INR ${b}.`)} Not you? SMS BLOCK to 919951860002 - Axis Bank`,
      ),
    ],
  },
  PNB: {
    credit: [
      shape(
        'IM-PNBSMS-S',
        anyRail,
        (f) =>
          `Ac XXXXXXXX0000${f.tail} Credited with Rs.${f.plain} , ${f.on.dashedLong} ${f.on.clock}.${plainBalance(f, (b) => ` Aval Bal Rs.${b} CR.`)} Helpline 18001802222.Register for e-statement,if not done.-PNB`,
      ),
      shape(
        'VM-PNBSMS-S',
        instant,
        (f) =>
          `Your a/c XX${f.tail} is credited by Rs.${f.plain} on ${f.on.dashed} by a/c linked to mobile 9XXXXXX000${withRef(f, (ref) => ` (IMPS Ref no ${ref})`)}-PNB`,
      ),
      shape(
        'VM-PNBSMS-S',
        ['upi'],
        (f) =>
          `A/c XX${f.tail} credited INR ${f.plain} Dt ${f.on.dashed} ${f.on.clock} thru UPI${withRef(f, (ref) => `:${ref}`)}.${plainBalance(f, (b) => `Bal INR ${b} `)}Download PNB ONE-PNB`,
      ),
    ],
    debit: [
      shape(
        'VA-PNBSMS-S',
        anyRail,
        (f) =>
          `Ac XX${f.tail} Debited with Rs.${f.plain}, ${f.on.dashedLong} ${f.on.clock}.${plainBalance(f, (b) => ` Aval Bal Rs.${b} CR.`)} Helpline 18001800/18002021-PNB`,
      ),
      shape(
        'VM-PNBSMS-S',
        ['upi'],
        (f) =>
          `A/c XX${f.tail} debited INR ${f.plain} Dt ${f.on.dashed} ${f.on.clock} thru UPI${withRef(f, (ref) => `:${ref}`)}.${plainBalance(f, (b) => `Bal INR ${b} `)}Not u?Fwd this SMS to 9264092640 to block UPI.Download PNB ONE-PNB`,
      ),
    ],
  },
  Canara: {
    credit: [
      shape(
        'AD-CANBNK-S',
        anyRail,
        (f) =>
          `An amount of INR ${f.grouped} has been CREDITED to your account XXX${f.tail.slice(-3)} on ${f.on.slashedLong} towards Fund Transfer.${groupedBalance(f, (b) => ` Total Avail.bal INR ${b}.`)} - Canara Bank`,
      ),
      shape(
        'CP-CANBNK-S',
        ['neft'],
        (f) =>
          `Rs.${f.grouped} credited by NEFT from A/c XX7711 of ${f.name} to your A/c XX${f.tail} on ${f.on.slashed}${withRef(f, (ref) => `, UTR ${ref}`)}.${groupedBalance(f, (b) => ` Total Avail.bal INR ${b}`)} - Canara Bank`,
      ),
      shape(
        'JK-CANBNK-S',
        instant,
        (f) =>
          `Rs.${f.plain} credited to your a/c XX${f.tail} on ${f.on.dashed} ${f.on.clock} from ${f.vpa}${withRef(f, (ref) => `, UPI Ref ${ref}`)}.-Canara Bank`,
      ),
    ],
    debit: [
      shape(
        'AD-CANBNK-S',
        anyRail,
        (f) =>
          `An amount of INR ${f.grouped} has been DEBITED to your account XXX${f.tail.slice(-3)} on ${f.on.slashedLong} towards Fund Transfer.${groupedBalance(f, (b) => ` Total Avail.bal INR ${b}.`)} - Canara Bank`,
      ),
      shape(
        'JK-CANBNK-S',
        instant,
        (f) =>
          `Rs.${f.plain} paid thru A/C XX${f.tail} on ${f.on.dashed} ${f.on.clock} to ${f.name}${withRef(f, (ref) => `, UPI Ref ${ref}`)}. If not done, SMS BLOCKUPI to 9901771222.-Canara Bank`,
      ),
    ],
  },
  Kotak: {
    credit: [
      shape(
        'AX-KOTAKB-S',
        ['upi'],
        (f) =>
          `Received Rs.${f.plain} in your Kotak Bank AC X${f.tail} from ${f.vpa} on ${f.on.dashed}.${withRef(f, (ref) => `UPI Ref:${ref}.`)}`,
      ),
      shape(
        'JD-KOTAKB-S',
        ['imps'],
        (f) =>
          `Received Rs. ${f.plain} on ${f.on.dashed} in your Kotak Bank A/C x${f.tail} by an A/C linked to mobile x000.${withRef(f, (ref) => ` IMPS Ref no ${ref}.`)}`,
      ),
      shape(
        'AX-KOTAKB-T',
        ['neft'],
        (f) =>
          `Rs.${f.grouped} is credited to your Kotak Bank A/c XXXX${f.tail} on ${f.on.named} by NEFT${withRef(f, (ref) => ` UTR ${ref}`)} from ${f.name}.`,
      ),
    ],
    debit: [
      shape(
        'AX-KOTAKB-S',
        ['upi'],
        (f) =>
          `Sent Rs.${f.plain} from Kotak Bank AC X${f.tail} to ${f.vpa} on ${f.on.dashed}.${withRef(f, (ref) => `UPI Ref ${ref}.`)} Not you, https://kotak.com/KBANKT/Fraud`,
      ),
      shape(
        'VM-KOTAKD-S',
        anyRail,
        (f) =>
          `Sent Rs.${f.plain} from XXXXXX${f.tail} to ${f.name} on ${f.on.slashedLong}.${withRef(f, (ref) => ` UPI ref no. ${ref}.`)} Not you? Tap to report -Kotak`,
      ),
    ],
  },
  Union: {
    credit: [
      shape(
        'AM-UNIONB-S',
        anyRail,
        (f) =>
          `Your SB A/c *${f.tail} is Credited for Rs:${f.plain} on ${f.on.dashedLong} ${f.on.clock} by Transfer${plainBalance(f, (b) => ` Avl Bal Rs:${b}`)} -Union Bank of India`,
      ),
      shape(
        'AX-UNIONB-S',
        instant,
        (f) =>
          `A/c *${f.tail} Credited for Rs:${f.plain} on ${f.on.dashedLong} ${f.on.clock} by Mob Bk${withRef(f, (ref) => ` ref no ${ref}`)}${plainBalance(f, (b) => ` Avl Bal Rs:${b}`)} -Union Bank of India`,
      ),
    ],
    debit: [
      shape(
        'AX-UNIONB-S',
        instant,
        (f) =>
          `A/c *${f.tail} Debited for Rs:${f.plain} on ${f.on.dashedLong} ${f.on.clock} by Mob Bk${withRef(f, (ref) => ` ref no ${ref}`)}${plainBalance(f, (b) => ` Avl Bal Rs:${b}`)}.If not you, Call 1800222243 -Union Bank of India`,
      ),
      shape(
        'AM-UBOI-S',
        ['neft'],
        (f) =>
          `Your SB A/c **${f.tail} is Debited for Rs.${f.plain} on ${f.on.dashedLong} ${f.on.clock} by NEFT.${plainBalance(f, (b) => ` Avl Bal Rs:${b}`)} -Union Bank of India`,
      ),
    ],
  },
  IDFC: {
    credit: [
      shape(
        'BM-IDFCBK-S',
        anyRail,
        (f) =>
          `Your A/C XXXXXXX${f.tail} is credited by INR ${f.plain} on ${f.on.slashed} ${f.on.clock.slice(0, 5)}.${plainBalance(f, (b) => ` New Bal :INR ${b}`)}`,
      ),
      shape(
        'AX-IDFCFB-S',
        instant,
        (f) =>
          `Your A/C XXXXXXX${f.tail} is credited by Rs. ${f.plain} on ${f.on.slashed} from ${f.name}.${withRef(f, (ref) => ` RRN ${ref}.`)} IDFC FIRST Bank`,
      ),
    ],
    debit: [
      shape(
        'BM-IDFCBK-S',
        anyRail,
        (f) =>
          `Your A/C XXXXXXX${f.tail} is debited by INR ${f.plain} on ${f.on.slashed} ${f.on.clock.slice(0, 5)}.${plainBalance(f, (b) => ` New Bal :INR ${b}`)}`,
      ),
      shape(
        'AX-IDFCFB-S',
        instant,
        (f) =>
          `Your A/C XXXXXXX${f.tail} is debited by Rs. ${f.plain} on ${f.on.slashed}; ${f.name} credited.${withRef(f, (ref) => ` RRN ${ref}.`)} If not done by you, call 180010888`,
      ),
    ],
  },
  AU: {
    credit: [
      shape(
        'VM-AUBANK-S',
        ['upi'],
        (f) =>
          `Cr INR ${f.grouped} to A/c X${f.tail} ${f.on.namedLong}\n${withRef(f, (ref) => `UPI/CR/${ref}/${f.name}/Y\n`)}${groupedBalance(f, (b) => `Bal INR ${b}\n`)}-AU Bank`,
      ),
      shape(
        'VM-AUBANK-S',
        ['imps', 'neft'],
        (f) =>
          `Credited INR ${f.grouped} to A/c X${f.tail} on ${f.on.namedLong}${withRef(f, (ref) => ` Ref ${ref}`)}. ${groupedBalance(f, (b) => `Bal INR ${b}. `)}-AU Bank`,
      ),
    ],
    debit: [
      shape(
        'VM-AUBANK-S',
        ['upi'],
        (f) =>
          `Dr INR ${f.grouped} from A/c X${f.tail} ${f.on.namedLong}\n${withRef(f, (ref) => `UPI/DR/${ref}/${f.name}/Y\n`)}${groupedBalance(f, (b) => `Bal INR ${b}\n`)}-AU Bank`,
      ),
      shape(
        'VM-AUBANK-S',
        ['imps', 'neft'],
        (f) =>
          `Debited INR ${f.plain} from A/c X${f.tail} on ${f.on.namedLong}.${plainBalance(f, (b) => ` Bal INR ${b}.`)} -AU Bank`,
      ),
    ],
  },
};

import type { RE2JS } from 're2js';

/** Instructions of a compiled RE2 program, as re2js numbers them. */
const ALT = 1;
const CAPTURE = 3;
const EMPTY_WIDTH = 4;
const FAIL = 5;
const MATCH = 6;
const RUNE = 8;
const RUNE_ANY = 10;
const RUNE_ANY_NOT_NL = 11;

/** Conditions of EMPTY_WIDTH. */
const BEGIN_LINE = 1;
const END_LINE = 2;
const BEGIN_TEXT = 4;
const END_TEXT = 8;
const WORD_BOUNDARY = 16;
const NO_WORD_BOUNDARY = 32;

/** What stands at a position: an ASCII letter by its code, or one of these. A row has one bit for each, in words of 32 bits. */
const BEYOND_ASCII = 128;
const END = 129;
const ROW = 5;

interface Instruction {
  readonly op: number;
  readonly out: number;
  readonly arg: number;
  readonly runes: ArrayLike<number> & { join(separator: string): string };
  matchRune(rune: number): boolean;
}

/**
 * Choices that were made already. Each carries the stamp of its search, so nothing needs clearing. All programs share them, because a
 * search never yields to another.
 */
let tried = new Uint16Array(1 << 16);
let stamp = 0;
/** Choices to come back to (instruction, position), and captures to restore (−1 − slot, former value). */
let stack = new Int32Array(1 << 10);

/**
 * Runs the program that re2js compiled, by backtracking that never makes the same choice at the same place twice. So time stays linear in
 * the text as with RE2 itself, and the first match by priority is RE2's. One letter of look-ahead, which re2js lacks, settles most choices
 * without a trial. With the words of literals.ts a message takes 56 µs instead of 459 µs (all of wordings.txt, best of 150 rounds).
 */
export class LinearProgram {
  /** Group name → number of the group. */
  readonly groups: Readonly<Record<string, number>>;
  /** Two positions per group of the last match; −1 where the group took no part. */
  readonly captures: Int32Array;
  private readonly instructions: readonly Instruction[];
  private readonly op: Uint8Array;
  private readonly out: Int32Array;
  private readonly arg: Int32Array;
  private readonly start: number;
  /** A row per instruction: whether it may go on before what stands there. */
  private readonly ahead: Uint32Array;
  /** The row of `tried` for each ALT instruction. */
  private readonly choice: Int32Array;
  private readonly choices: number;

  constructor(pattern: RE2JS) {
    const { prog } = pattern.re2();
    const instructions: readonly Instruction[] = prog.inst;
    this.groups = pattern.namedGroups();
    this.captures = new Int32Array(prog.numCap);
    this.instructions = instructions;
    this.op = Uint8Array.from(instructions, ({ op }) => op);
    this.out = Int32Array.from(instructions, ({ out }) => out);
    this.arg = Int32Array.from(instructions, ({ arg }) => arg);
    this.start = prog.start;
    this.choice = new Int32Array(instructions.length);
    let choices = 0;
    for (const [pc, { op }] of instructions.entries()) {
      if (op === ALT) this.choice[pc] = choices++;
      else if (op < CAPTURE || op > RUNE_ANY_NOT_NL)
        throw new Error(`pattern compiles to an instruction nobody runs: ${op}`);
    }
    this.choices = choices;
    this.ahead = this.lookAhead();
  }

  private lookAhead(): Uint32Array {
    const { op, out, arg } = this;
    const bits = new Uint32Array(op.length * ROW);
    const rows = new Map<string, Uint32Array>();
    for (const [pc, instruction] of this.instructions.entries()) {
      const row = bits.subarray(pc * ROW, (pc + 1) * ROW);
      if (op[pc] === MATCH) row.fill(0xff_ff_ff_ff);
      if (op[pc]! < RUNE) continue;
      // Counted repeats produce the same letters again and again, so their rows are shared.
      const letters = `${op[pc]} ${arg[pc]} ${instruction.runes.join(' ')}`;
      const known = rows.get(letters) ?? rowOf(instruction);
      rows.set(letters, known);
      row.set(known);
    }
    // An instruction that takes no letter may go on where its successors may. Repeated until nothing changes.
    for (let isSpreading = true; isSpreading;) {
      isSpreading = false;
      for (let pc = op.length - 1; pc >= 0; pc -= 1) {
        if (op[pc]! >= RUNE || op[pc] === MATCH || op[pc] === FAIL) continue;
        for (const next of op[pc] === ALT ? [out[pc]!, arg[pc]!] : [out[pc]!]) {
          for (let word = 0; word < ROW; word += 1) {
            const before = bits[pc * ROW + word]!;
            bits[pc * ROW + word]! |= bits[next * ROW + word]!;
            isSpreading ||= bits[pc * ROW + word] !== before;
          }
        }
      }
    }
    return bits;
  }

  /** Finds the leftmost match that begins at or after `from` and before `until`. Its groups are in `captures` until the next search. */
  search(text: string, from = 0, until = text.length + 1): boolean {
    const { length } = text;
    const { ahead } = this;
    const width = length + 1;
    if (tried.length < this.choices * width) {
      tried = new Uint16Array(this.choices * width);
      stamp = 0;
    }
    stamp += 1;
    if (stamp > 0xff_ff) {
      tried.fill(0);
      stamp = 1;
    }
    const row = this.start * ROW;
    for (let at = from; at < length && at < until; at += 1) {
      const unit = text.charCodeAt(at);
      const kind = unit < BEYOND_ASCII ? unit : BEYOND_ASCII;
      if ((ahead[row + (kind >> 5)]! & (1 << (kind & 31))) === 0) continue;
      // The second half of a surrogate pair is no letter of its own.
      if (unit >= 0xdc_00 && unit <= 0xdf_ff && at > 0 && isHigh(text.charCodeAt(at - 1))) continue;
      if (this.matchAt(text, at, width)) return true;
    }
    const mayEnd = (ahead[row + (END >> 5)]! & (1 << (END & 31))) !== 0;
    return mayEnd && from <= length && length < until && this.matchAt(text, length, width);
  }

  private matchAt(text: string, at: number, width: number): boolean {
    const { op, out, arg, ahead, choice, captures } = this;
    const { length } = text;
    const made = tried;
    const now = stamp;
    let open = stack;
    let depth = 0;
    captures.fill(-1);
    let pc = this.start;
    let position = at;
    let kind = kindAt(text, position, length);
    let word = kind >> 5;
    let bit = 1 << (kind & 31);
    for (;;) {
      let goesOn = (ahead[pc * ROW + word]! & bit) !== 0;
      if (goesOn) {
        const code = op[pc]!;
        if (code >= RUNE) {
          if (kind < BEYOND_ASCII) position += 1;
          else {
            const rune = text.codePointAt(position)!;
            goesOn = takes(this.instructions[pc]!, rune);
            position += rune > 0xff_ff ? 2 : 1;
          }
          kind = kindAt(text, position, length);
          word = kind >> 5;
          bit = 1 << (kind & 31);
        } else if (code === ALT) {
          const place = choice[pc]! * width + position;
          if (made[place] === now) goesOn = false;
          else {
            made[place] = now;
            const other = arg[pc]!;
            if ((ahead[out[pc]! * ROW + word]! & bit) === 0) {
              pc = other;
              continue;
            }
            if ((ahead[other * ROW + word]! & bit) !== 0) {
              if (depth + 2 > open.length) open = grow();
              open[depth++] = other;
              open[depth++] = position;
            }
          }
        } else if (code === CAPTURE) {
          const slot = arg[pc]!;
          if (depth + 2 > open.length) open = grow();
          open[depth++] = -1 - slot;
          open[depth++] = captures[slot]!;
          captures[slot] = position;
        } else if (code === EMPTY_WIDTH) goesOn = holds(arg[pc]!, text, position);
        else if (code === MATCH) {
          captures[0] = at;
          captures[1] = position;
          return true;
        }
        if (goesOn) {
          pc = out[pc]!;
          continue;
        }
      }
      for (;;) {
        if (depth === 0) return false;
        position = open[--depth]!;
        pc = open[--depth]!;
        if (pc >= 0) break;
        captures[-1 - pc] = position;
      }
      kind = kindAt(text, position, length);
      word = kind >> 5;
      bit = 1 << (kind & 31);
    }
  }
}

function rowOf(instruction: Instruction): Uint32Array {
  const row = new Uint32Array(ROW);
  row[BEYOND_ASCII >> 5]! |= 1 << (BEYOND_ASCII & 31);
  for (let letter = 0; letter < BEYOND_ASCII; letter += 1)
    if (takes(instruction, letter)) row[letter >> 5]! |= 1 << (letter & 31);
  return row;
}

function takes(instruction: Instruction, rune: number): boolean {
  if (instruction.op === RUNE_ANY) return true;
  return instruction.op === RUNE_ANY_NOT_NL ? rune !== 10 : instruction.matchRune(rune);
}

function kindAt(text: string, position: number, length: number): number {
  if (position >= length) return END;
  const unit = text.charCodeAt(position);
  return unit < BEYOND_ASCII ? unit : BEYOND_ASCII;
}

function grow(): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(stack.length * 2);
  larger.set(stack);
  stack = larger;
  return larger;
}

const isHigh = (unit: number): boolean => unit >= 0xd8_00 && unit <= 0xdb_ff;

function isWordLetter(text: string, position: number): boolean {
  if (position < 0 || position >= text.length) return false;
  const unit = text.charCodeAt(position);
  return (
    (unit >= 97 && unit <= 122) || (unit >= 65 && unit <= 90) || (unit >= 48 && unit <= 57) || unit === 95
  );
}

function holds(condition: number, text: string, position: number): boolean {
  if (condition & (WORD_BOUNDARY | NO_WORD_BOUNDARY)) {
    const isBoundary = isWordLetter(text, position - 1) !== isWordLetter(text, position);
    if (condition & (isBoundary ? NO_WORD_BOUNDARY : WORD_BOUNDARY)) return false;
  }
  if (condition & BEGIN_TEXT && position !== 0) return false;
  if (condition & END_TEXT && position !== text.length) return false;
  if (condition & BEGIN_LINE && position !== 0 && text[position - 1] !== '\n') return false;
  return !(condition & END_LINE) || position === text.length || text[position] === '\n';
}

import { compileTemplate, matchGuard, matchMovement, type CompiledTemplate } from './engine.ts';
import { formatMinor } from './fields.ts';
import { normaliseText } from './normalise.ts';
import { fieldNames, type MessageTemplate, type MovementSample, type TemplateSample } from './template.ts';

/** RE2 is linear in the text but not in the pattern. A slip of an editor, such as nested counted repeats, must not fill the memory. */
const MAX_PATTERN_LENGTH = 4_000;
const MAX_PROGRAM_SIZE = 8_000;

/** Reasons to refuse a template, in words for the console. Empty if the template is good. */
export function validateTemplate(template: MessageTemplate): string[] {
  const errors = shapeErrors(template);
  let compiled: CompiledTemplate;
  try {
    compiled = compileTemplate(template);
  } catch (error) {
    return [...errors, `pattern: ${error instanceof Error ? error.message : String(error)}`];
  }
  errors.push(...patternErrors(compiled));
  if (errors.length > 0) return errors;
  return template.samples.flatMap((sample, index) =>
    sampleErrors(compiled, sample).map((error) => `sample ${index + 1}: ${error}`),
  );
}

function shapeErrors(template: MessageTemplate): string[] {
  const isMovement = template.rule === 'credit' || template.rule === 'debit';
  const errors: string[] = [];
  if (!/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(template.id))
    errors.push('id: lower-case letters, digits and single dashes');
  if (template.senderHeaders.length === 0) errors.push('senderHeaders: at least one');
  for (const header of template.senderHeaders) {
    if (header === '*' && isMovement) errors.push('senderHeaders: * is for ignore and otp only');
    else if (header !== '*' && !/^(?=[A-Z0-9]*[A-Z])[A-Z0-9]{3,12}$/.test(header))
      errors.push(`senderHeaders: ${header} is not a header`);
  }
  if ((template.rule === 'ignore') !== (template.reason !== undefined))
    errors.push('reason: with rule ignore, and only then');
  if (template.samples.length === 0) errors.push('samples: at least one');
  for (const source of [template.pattern, template.unless ?? '', ...(template.details ?? [])]) {
    if (source.length > MAX_PATTERN_LENGTH)
      errors.push(`pattern: longer than ${MAX_PATTERN_LENGTH} characters`);
  }
  return errors;
}

function patternErrors({ template, pattern, unless, details }: CompiledTemplate): string[] {
  const errors: string[] = [];
  const isMovement = template.rule === 'credit' || template.rule === 'debit';
  if (isMovement && !pattern.groups.includes('amount'))
    errors.push('pattern: a movement needs the group amount');
  for (const part of [pattern, ...details, ...(unless ? [unless] : [])]) {
    const unknown = part.groups.filter((name) => !fieldNames.some((field) => field === name));
    if (unknown.length > 0) errors.push(`pattern: unknown group ${unknown.join(', ')}`);
    if (part.size > MAX_PROGRAM_SIZE) errors.push('pattern: too large once its repeats are written out');
    if (part.program.search('')) errors.push('pattern: matches an empty text');
  }
  if (details.some((detail) => detail.groups.includes('amount')))
    errors.push('details: the amount belongs in pattern');
  return errors;
}

function sampleErrors(compiled: CompiledTemplate, { text, expected }: TemplateSample): string[] {
  const line = normaliseText(text);
  if (compiled.template.rule === 'ignore' || compiled.template.rule === 'otp') {
    return matchGuard(compiled, line) ? [] : ['does not match'];
  }
  const movement = matchMovement(compiled, line, new Date(0))?.movement;
  if (!movement) return ['does not match'];
  const found: MovementSample = {
    amount: formatMinor(movement.amountMinor),
    ...(movement.accountTail !== undefined && { account: movement.accountTail }),
    ...(movement.balanceMinor !== undefined && { balance: formatMinor(movement.balanceMinor) }),
    ...(movement.ref !== undefined && { ref: movement.ref }),
  };
  const keys = ['amount', 'account', 'balance', 'ref'] as const;
  return keys
    .filter((key) => found[key] !== expected?.[key])
    .map((key) => `${key} is ${found[key] ?? 'absent'}, expected ${expected?.[key] ?? 'absent'}`);
}

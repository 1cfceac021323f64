import { z } from 'zod';
import type { Random } from '../demo/random.ts';

interface Shape {
  readonly type?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly Shape[];
  readonly oneOf?: readonly Shape[];
  readonly allOf?: readonly Shape[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly minItems?: number;
}

const shapes = new Map<z.ZodType, Shape>();

/**
 * A random input that an endpoint's schema may accept: all required fields and some of the others. `text` gives the value of a text or id
 * field by its name.
 */
export function randomInput(
  random: Random,
  input: z.ZodType,
  text: (field: string) => string,
): Record<string, unknown> {
  const shape =
    shapes.get(input) ?? (z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as unknown as Shape);
  shapes.set(input, shape);
  const made = valueOf(random, shape, '', text);
  return typeof made === 'object' && made !== null ? (made as Record<string, unknown>) : {};
}

function valueOf(random: Random, shape: Shape, field: string, text: (field: string) => string): unknown {
  if (shape.const !== undefined) return shape.const;
  if (shape.enum) return random.pick(shape.enum);
  const choices = shape.anyOf ?? shape.oneOf;
  if (choices) return valueOf(random, random.pick(choices), field, text);
  if (shape.allOf) return Object.assign({}, ...shape.allOf.map((each) => valueOf(random, each, field, text)));
  switch (shape.type ?? 'string') {
    case 'object': {
      const needed = new Set(shape.required);
      const named = Object.entries(shape.properties ?? {}).filter(
        ([name]) => needed.has(name) || random.chance(0.3),
      );
      return Object.fromEntries(named.map(([name, each]) => [name, valueOf(random, each, name, text)]));
    }
    case 'array':
      return Array.from({ length: Math.max(shape.minItems ?? 0, random.int(0, 2)) }, () =>
        valueOf(random, shape.items ?? {}, field, text),
      );
    case 'number':
    case 'integer':
      return (shape.minimum ?? 0) + random.int(0, 100);
    case 'boolean':
      return random.chance(0.5);
    case 'null':
      return null;
    default:
      return text(field);
  }
}

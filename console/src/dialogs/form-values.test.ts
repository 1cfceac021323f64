import { describe, expect, it } from 'vitest';
import type { DialogField } from './dialog-field.ts';
import { fieldValue, typedValue } from './form-values.ts';

const rupees: DialogField = { name: 'amount', label: '', kind: 'money', currency: 'INR' };
const percent: DialogField = { name: 'rate', label: '', kind: 'percent' };

describe('fields of a dialog', () => {
  it.each([
    ['1', 100],
    ['1.5', 150],
    ['12,34,567.89', 123_456_789],
    ['0.07', 7],
    ['90071992547409.91', 9_007_199_254_740_991],
  ])('read %s rupees exactly', (typed, minor) => {
    expect(fieldValue(rupees, typed)).toBe(minor);
  });

  it.each(['-1', '1.234', 'abc', '1e3', '90071992547409.92'])('refuse %s rupees', (typed) => {
    expect(() => fieldValue(rupees, typed)).toThrow(RangeError);
  });

  it('take fewer decimals than the currency has where the field says so', () => {
    const usdt: DialogField = { name: 'amount', label: '', kind: 'money', currency: 'USDT', decimals: 4 };
    expect(fieldValue(usdt, '1.2345')).toBe(1_234_500);
    expect(fieldValue(usdt, '1.234500')).toBe(1_234_500);
    expect(() => fieldValue(usdt, '1.23456')).toThrow(RangeError);
  });

  it('take a negative amount only where it may be one', () => {
    expect(fieldValue({ ...rupees, signed: true }, '-2.50')).toBe(-250);
  });

  it('send percentages in parts per million and show them back as typed', () => {
    expect(fieldValue(percent, '1.25')).toBe(12_500);
    expect(typedValue(percent, 12_500)).toBe('1.25');
    expect(typedValue(percent, 0)).toBe('0');
    expect(() => fieldValue(percent, '100.0001')).toThrow(RangeError);
  });

  it('send nothing for a field left empty', () => {
    expect(fieldValue(rupees, '')).toBeUndefined();
    expect(fieldValue({ name: 'reason', label: '', kind: 'text' }, '  ')).toBeUndefined();
  });
});

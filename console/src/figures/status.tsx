import {
  CheckCircleFilled,
  ClockCircleOutlined,
  CloseCircleFilled,
  ExclamationCircleFilled,
  MinusCircleOutlined,
  SyncOutlined,
} from '@ant-design/icons';
import type { ComponentType, CSSProperties } from 'react';
import styles from './figures.module.css';

export type Tone = 'positive' | 'negative' | 'warning' | 'pending' | 'quiet';

const ICONS: Readonly<Record<Tone, ComponentType<{ style?: CSSProperties; 'aria-hidden': true }>>> = {
  positive: CheckCircleFilled,
  negative: CloseCircleFilled,
  warning: ExclamationCircleFilled,
  pending: ClockCircleOutlined,
  quiet: MinusCircleOutlined,
};

interface StatusProps {
  readonly tone: Tone;
  readonly label: string;
  /** Some process is working on it now. */
  readonly busy?: boolean;
}

/** A state as colour, text and icon. Each of the three alone is enough to read it. */
export function Status({ tone, label, busy = false }: StatusProps) {
  const Icon = busy ? SyncOutlined : ICONS[tone];
  return (
    <span className={[styles['status'], styles[tone]].join(' ')}>
      <Icon aria-hidden />
      {label}
    </span>
  );
}

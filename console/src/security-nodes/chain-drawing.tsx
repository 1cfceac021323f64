import { useTranslation } from 'react-i18next';
import { formatMinor } from '@sangam/contract/money.ts';
import type { Chain } from './chain.ts';
import styles from './security-nodes.module.css';

const STEP = 22;
const HEIGHT = 180;
const EDGE = 24;

/**
 * Balances over time, one step a message: linked ones joined by a line, gaps by a dashed one with what is missing, suspects
 * hollow. The table below it says the same in words.
 */
export function ChainDrawing({ chain }: { readonly chain: Chain }) {
  const { t } = useTranslation();
  const { nodes, gaps, currency } = chain;
  const balances = nodes.map(({ balance }) => balance);
  const lowest = Math.min(...balances);
  const span = Math.max(1, Math.max(...balances) - lowest);
  const points = new Map(
    nodes.map(({ id, balance }, index) => [
      id,
      { x: EDGE + index * STEP, y: HEIGHT - EDGE - ((balance - lowest) / span) * (HEIGHT - 2 * EDGE) },
    ]),
  );
  const line = (from: string | null, to: string) => {
    const [a, b] = [from === null ? undefined : points.get(from), points.get(to)];
    return a && b ? { x1: a.x, y1: a.y, x2: b.x, y2: b.y } : undefined;
  };
  return (
    <div className={styles['drawing']} tabIndex={0} role="group" aria-label={t('chain.drawing')}>
      <svg
        width={2 * EDGE + (nodes.length - 1) * STEP}
        height={HEIGHT}
        role="img"
        aria-label={t('chain.drawn', { nodes: nodes.length, gaps: gaps.length })}
      >
        {nodes.map(({ id, previousId }) => {
          const ends = line(previousId, id);
          return ends && <line key={id} className={styles['link']} {...ends} />;
        })}
        {gaps.map(({ id, tailId, headId, delta, state }) => {
          const ends = line(tailId, headId);
          return (
            ends && (
              <g key={id} className={styles[state === 'open' ? 'gap' : 'closedGap']}>
                <line {...ends} />
                <text x={(ends.x1 + ends.x2) / 2} y={Math.max(12, Math.min(ends.y1, ends.y2) - 8)}>
                  {delta > 0 ? '+' : '−'}
                  {formatMinor(BigInt(Math.abs(delta)), currency)}
                </text>
              </g>
            )
          );
        })}
        {nodes.map((node) => {
          const { x, y } = points.get(node.id)!;
          return (
            <circle key={node.id} className={styles[node.state]} cx={x} cy={y} r={5}>
              <title>{`${node.bankTime} · ${formatMinor(BigInt(node.balance), currency)}`}</title>
            </circle>
          );
        })}
      </svg>
    </div>
  );
}

import { Tooltip } from 'antd';
import { useNames } from '../language/names.ts';
import { productLabel } from '../language/product-label.ts';

interface ProductListProps {
  readonly products: readonly {
    readonly productId: number;
    readonly productName: string;
    readonly enabled: boolean;
    readonly ratePpm: number;
  }[];
}

/** Parts per million as a percentage: 15000 → 1.5%. */
const percent = (ppm: number) => `${ppm / 10_000}%`;

/** The products somebody may use, with their rates. */
export function ProductList({ products }: ProductListProps) {
  const name = useNames();
  const enabled = products.filter((product) => product.enabled);
  if (enabled.length === 0) return '–';
  const lines = enabled.map(
    (product) => `${productLabel(name, product.productId, product.productName)} ${percent(product.ratePpm)}`,
  );
  const [first, ...more] = lines;
  if (more.length === 0) return first;
  return (
    <Tooltip
      title={lines.map((line) => (
        <div key={line}>{line}</div>
      ))}
    >
      <span>
        {first} +{more.length}
      </span>
    </Tooltip>
  );
}

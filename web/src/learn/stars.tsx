/** Up to three stars in a row: how well a level was solved. */

const STAR = "M12 2.500l2.900 6.200 6.800.800-5 4.600 1.300 6.700-6-3.300-6 3.300 1.300-6.700-5-4.600 6.800-.800z";

export function StarRow({ count }: { count: number }) {
  return (
    <svg class="learn-stars" viewBox="0 0 72 24" aria-hidden="true" focusable="false">
      {[0, 1, 2].map((index) => (
        <path key={index} d={STAR} transform={`translate(${24 * index} 0)`} data-earned={index < count ? "" : undefined} />
      ))}
    </svg>
  );
}

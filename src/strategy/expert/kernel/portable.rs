use super::{Accumulator, Dense, HALF, NARROW_MOST, NARROW_SHIFT, OUTPUTS, Table, WIDE_MOST};

/// See [`super::change`].
#[inline]
pub(super) fn change(
    table: Table<'_>,
    base: &Accumulator,
    new: &[u16],
    gone: &[u16],
    sums: &mut Accumulator,
) {
    *sums = *base;
    for row in new {
        let (row, shift) = (&table.rows[*row as usize].0, table.shifts[*row as usize]);
        let pairs = sums.0.iter_mut().zip(row);
        pairs.for_each(|(sum, weight)| *sum = sum.wrapping_add(i16::from(*weight) << shift));
    }
    for row in gone {
        let (row, shift) = (&table.rows[*row as usize].0, table.shifts[*row as usize]);
        let pairs = sums.0.iter_mut().zip(row);
        pairs.for_each(|(sum, weight)| *sum = sum.wrapping_sub(i16::from(*weight) << shift));
    }
}

/// See [`super::outputs`].
#[inline]
pub(super) fn outputs(sums: &Accumulator, dense: &Dense) -> [i32; OUTPUTS] {
    let mut narrow = dense.second_bias;
    for (pair, weights) in sums.0.chunks_exact(2).zip(&dense.second.0) {
        let unit = |sum: i16| i32::from(sum.clamp(0, WIDE_MOST));
        let (a, b) = (unit(pair[0]), unit(pair[1]));
        if a | b == 0 {
            continue;
        }
        for (sum, weight) in narrow.iter_mut().zip(weights) {
            *sum = sum.wrapping_add(a * i32::from(weight[0]) + b * i32::from(weight[1]));
        }
    }
    let unit = |sum: i32| (sum.wrapping_add(HALF) >> NARROW_SHIFT).clamp(0, NARROW_MOST);
    let mut outputs = dense.third_bias;
    for (output, weights) in outputs.iter_mut().zip(&dense.third) {
        for (sum, weight) in narrow.iter().zip(weights) {
            *output = output.wrapping_add(unit(*sum) * i32::from(*weight));
        }
    }
    outputs
}

//! Marks of a chart that shows all rows of a result, from whole columns.

/// Most points that are fetched and drawn: a screen has a few thousand columns of pixels, and this many are drawn
/// in a fraction of a second.
pub const POINTS_FETCHED_MAX: u32 = 100_000;

const DAY_MS: f64 = 86_400_000.0;

/// `x, y, x, y, …` for one series, without rows that have no x; sorted by x where `sorted` is asked for. A y that
/// is no number is NaN, a gap.
#[must_use]
pub fn pairs(x: &[f64], y: &[f64], sorted: bool) -> Vec<f64> {
    let mut marks: Vec<(f64, f64)> = x
        .iter()
        .copied()
        .zip(y.iter().copied())
        .filter(|(x, _)| x.is_finite())
        .collect();
    if sorted && !marks.is_sorted_by(|a, b| a.0 <= b.0) {
        marks.sort_by(|a, b| a.0.total_cmp(&b.0));
    }
    marks.into_iter().flat_map(|(x, y)| [x, y]).collect()
}

/// Lowest and highest y of pairs with their x; `None` where there is no number.
#[must_use]
pub fn extremes(pairs: &[f64]) -> Option<[(f64, f64); 2]> {
    let (marks, _) = pairs.as_chunks::<2>();
    let mut known = marks
        .iter()
        .map(|[x, y]| (*x, *y))
        .filter(|m| m.1.is_finite());
    let first = known.next()?;
    Some(known.fold([first, first], |[low, high], mark| {
        [
            if mark.1 < low.1 { mark } else { low },
            if mark.1 > high.1 { mark } else { high },
        ]
    }))
}

/// Milliseconds since 1970 as a date, with the time where it is not midnight.
#[must_use]
pub fn date_text(ms: f64) -> String {
    let days = (ms / DAY_MS).floor();
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a cast stops at the ends of i64"
    )]
    let (days, minutes) = (days as i64, ((ms - days * DAY_MS) / 60_000.0) as i64);
    // Howard Hinnant, "chrono-Compatible Low-Level Date Algorithms", civil_from_days.
    let shifted = days.saturating_add(719_468);
    let era = shifted.div_euclid(146_097);
    let day_of_era = shifted.rem_euclid(146_097);
    let year_of_era =
        (day_of_era - day_of_era / 1_460 + day_of_era / 36_524 - day_of_era / 146_096) / 365;
    let day_of_year = day_of_era - (365 * year_of_era + year_of_era / 4 - year_of_era / 100);
    let month_from_march = (5 * day_of_year + 2) / 153;
    let day = day_of_year - (153 * month_from_march + 2) / 5 + 1;
    let month = if month_from_march < 10 {
        month_from_march + 3
    } else {
        month_from_march - 9
    };
    let year = year_of_era + era * 400 + i64::from(month <= 2);
    if minutes == 0 {
        format!("{year:04}-{month:02}-{day:02}")
    } else {
        format!(
            "{year:04}-{month:02}-{day:02} {:02}:{:02}",
            minutes / 60,
            minutes % 60
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_leave_out_what_has_no_place_and_keep_gaps() {
        let (x, y) = ([3.0, f64::NAN, 1.0, 2.0], [30.0, 99.0, 10.0, f64::NAN]);
        let marks = pairs(&x, &y, true);
        assert_eq!(marks[..3], [1.0, 10.0, 2.0]);
        assert!(marks[3].is_nan());
        assert_eq!(marks[4..], [3.0, 30.0]);
        assert_eq!(pairs(&x, &y, false)[..2], [3.0, 30.0]);
        assert_eq!(extremes(&marks), Some([(1.0, 10.0), (3.0, 30.0)]));
        assert_eq!(extremes(&[]), None);
    }

    #[test]
    fn dates_are_written_as_files_write_them() {
        for (ms, text) in [
            (0.0, "1970-01-01"),
            (1_709_164_800_000.0, "2024-02-29"),
            (-86_400_000.0, "1969-12-31"),
            (1_709_210_040_000.0, "2024-02-29 12:34"),
        ] {
            assert_eq!(date_text(ms), text);
        }
    }
}

use super::GroupType;

/// The options on which Dou Dizhu rooms disagree. All of them concern what may be attached to trios and
/// quads; the default, all off, is the official competition rule set.
///
/// Each field says how many groups the full deck then holds when it alone is switched on (the official set:
/// 27,471, pass not counted).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct RuleSet {
    /// Single kickers must be of different ranks: `333444 55` and `3333 44` are no groups. 12,654.
    pub distinct_kickers: bool,
    /// Both jokers may be two single kickers of one group: `7777 XD`. 28,946.
    pub rocket_as_kickers: bool,
    /// A full trio that touches the body may be kickers: `444555666 777`, with other kickers beside it.
    /// Some cards then read as several groups. 28,237.
    pub adjacent_trio_kickers: bool,
    /// Four equal single kickers: `333444555666 7777`. 27,986.
    pub quad_kickers: bool,
    /// The same pair twice as two pair kickers: `3333 4444`, `333444 7777`. Some cards then read as several
    /// groups. 31,240.
    pub same_pair_twice: bool,
    /// Quads with kickers do not exist. 25,287.
    pub no_four_with_two: bool,
}

impl RuleSet {
    /// Whether groups of type `kind` exist at all.
    #[inline]
    #[must_use]
    pub const fn allows(self, kind: GroupType) -> bool {
        !(self.no_four_with_two
            && matches!(kind, GroupType::FourWithTwoSingles | GroupType::FourWithTwoPairs))
    }
}

/// A named [`RuleSet`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Preset {
    /// The official competition rules, which RLCard plays: every option off. 27,471 groups.
    #[default]
    Official,
    /// What DouZero's move generator produces. 30,383 groups.
    DouZero,
    /// Pagat's and Wikipedia's text: kickers differ. 12,654 groups.
    Pagat,
    /// OpenSpiel's game. 26,053 groups.
    OpenSpiel,
    /// Everything any room accepts. 34,152 groups.
    Loose,
}

impl Preset {
    /// All presets.
    pub const ALL: [Preset; 5] =
        [Preset::Official, Preset::DouZero, Preset::Pagat, Preset::OpenSpiel, Preset::Loose];

    /// The name used on the command line.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Preset::Official => "official",
            Preset::DouZero => "douzero",
            Preset::Pagat => "pagat",
            Preset::OpenSpiel => "open_spiel",
            Preset::Loose => "loose",
        }
    }

    /// The options this name stands for.
    #[must_use]
    pub const fn rules(self) -> RuleSet {
        let official = RuleSet {
            distinct_kickers: false,
            rocket_as_kickers: false,
            adjacent_trio_kickers: false,
            quad_kickers: false,
            same_pair_twice: false,
            no_four_with_two: false,
        };
        match self {
            Preset::Official => official,
            Preset::DouZero => RuleSet {
                rocket_as_kickers: true,
                adjacent_trio_kickers: true,
                quad_kickers: true,
                ..official
            },
            Preset::Pagat => RuleSet { distinct_kickers: true, ..official },
            Preset::OpenSpiel => RuleSet { adjacent_trio_kickers: true, no_four_with_two: true, ..official },
            Preset::Loose => RuleSet {
                rocket_as_kickers: true,
                adjacent_trio_kickers: true,
                quad_kickers: true,
                same_pair_twice: true,
                ..official
            },
        }
    }
}

impl From<Preset> for RuleSet {
    fn from(preset: Preset) -> RuleSet {
        preset.rules()
    }
}

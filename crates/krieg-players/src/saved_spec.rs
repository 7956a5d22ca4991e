//! Parameter names of earlier versions in saved files.
//!
//! Game logs, records, the server's database and opponent memories store players as text. Those
//! written before the parameters had standard names are still read; commands accept only the
//! current names.

/// Former names of parameters, and the current ones.
const FORMER_NAMES: &[(&str, &str)] = &[
    ("boards", "particles"),
    ("c", "exploration"),
    ("caution", "first_play_penalty"),
    ("choose", "final_choice"),
    ("effort", "rejuvenation"),
    ("engine_ms", "engine_movetime"),
    ("fresh", "expansion"),
    ("memory", "opponent_memory"),
    ("model", "opponent_model"),
    ("ms", "movetime"),
    ("opponents", "opponent_weights"),
    ("patience", "timeout"),
    ("plies", "max_plies"),
    ("pool", "particles"),
    ("tables", "tablebases"),
    ("value", "value_model"),
];

/// Former values of parameters: the current name of the parameter, the former value, and the
/// current one.
const FORMER_VALUES: &[(&str, &str, &str)] = &[
    ("expansion", "fair", "first-play-urgency"),
    ("expansion", "first", "all-first"),
    ("final_choice", "share", "visit-rate"),
    ("leaf", "chess", "evaluation"),
];

/// Replaces a former name or value by the current one.
pub fn rename_parameter(name: &mut String, value: &mut String) {
    if let Some((_, current)) = FORMER_NAMES.iter().find(|(former, _)| former == name) {
        *name = current.to_string();
    }
    let is_former = |row: &&(&str, &str, &str)| row.0 == name.as_str() && row.1 == value.as_str();
    if let Some((.., current)) = FORMER_VALUES.iter().find(is_former) {
        *value = current.to_string();
    }
}

#[cfg(test)]
mod tests {
    use super::FORMER_NAMES;
    use crate::{PlayerRegistry, PlayerSpec};

    #[test]
    fn no_parameter_has_a_former_name_of_another() {
        for kind in PlayerRegistry::default().kinds() {
            for parameter in kind.parameters {
                let is_former = FORMER_NAMES.iter().any(|(former, _)| *former == parameter.name);
                assert!(!is_former, "{}: {}", kind.name, parameter.name);
            }
        }
    }

    #[test]
    fn former_parameters_are_read_from_saved_files_only() {
        let registry = PlayerRegistry::default();
        for (former, current) in [
            (
                "marshal(boards=200,effort=2,c=0.5,caution=0.1,ms=30,tables=no)",
                "marshal(particles=200,rejuvenation=2,exploration=0.5,first_play_penalty=0.1,\
                 movetime=30,tablebases=no)",
            ),
            (
                "marshal(model=value,opponents=a.txt,value=b.txt,memory=c.txt)",
                "marshal(opponent_model=value,opponent_weights=a.txt,value_model=b.txt,\
                 opponent_memory=c.txt)",
            ),
            (
                "ismcts(c=0.5,pool=2000,belief=hs,leaf=rollout,plies=50,fresh=first,choose=visits)",
                "ismcts(exploration=0.5,particles=2000,belief=hs,leaf=rollout,max_plies=50,\
                 expansion=all-first,final_choice=visits)",
            ),
            ("mo-ismcts(leaf=chess,fresh=fair,choose=share)", "mo-ismcts"),
            (
                "pimc(worlds=8,pool=60,engine=gnuchess,engine_ms=5)",
                "pimc(worlds=8,particles=60,engine=gnuchess,engine_movetime=5)",
            ),
            ("engine(cmd=x,patience=5)", "engine(cmd=x,timeout=5)"),
            ("greedy(tables=no)", "greedy(tablebases=no)"),
        ] {
            let migrated = registry.parse_saved(former).unwrap();
            assert_eq!(migrated, registry.parse(current).unwrap(), "{former}");
            assert_eq!(migrated.to_string(), registry.parse(current).unwrap().to_string());
            assert_eq!(registry.parse_saved(current).unwrap(), migrated, "{current}");
        }
        for former in ["marshal(boards=200)", "greedy(tables=no)"] {
            assert!(former.parse::<PlayerSpec>().is_err(), "{former}");
        }
        assert!(registry.parse_saved("marshal(boards=200,particles=200)").is_err());
    }
}

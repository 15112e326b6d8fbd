// The kernels of ND4J that this project meets, each by a plain loop over the elements of its result. A kernel is told
// by its C++ name: what it is called, the types it is for, the operation it applies.

#include <cxxabi.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <mutex>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "emulated.h"

namespace {

typedef long long Long;

enum Type { FLOAT, DOUBLE, LONG, INT, BOOL, BYTE, SHORT, OTHER };

Type typeOf(const std::string& name) {
    static const std::map<std::string, Type> types = {{"float", FLOAT}, {"double", DOUBLE}, {"long long", LONG},
        {"long", LONG}, {"int", INT}, {"bool", BOOL}, {"unsigned char", BYTE}, {"signed char", BYTE}, {"short", SHORT}};
    auto found = types.find(name);
    return found == types.end() ? OTHER : found->second;
}

double load(const void* data, Type type, Long i) {
    switch (type) {
        case FLOAT: return static_cast<const float*>(data)[i];
        case DOUBLE: return static_cast<const double*>(data)[i];
        case LONG: return static_cast<double>(static_cast<const Long*>(data)[i]);
        case INT: return static_cast<const int*>(data)[i];
        case BOOL: return static_cast<const bool*>(data)[i];
        case BYTE: return static_cast<const unsigned char*>(data)[i];
        case SHORT: return static_cast<const short*>(data)[i];
        default: return 0;
    }
}

void store(void* data, Type type, Long i, double v) {
    switch (type) {
        case FLOAT: static_cast<float*>(data)[i] = static_cast<float>(v); break;
        case DOUBLE: static_cast<double*>(data)[i] = v; break;
        case LONG: static_cast<Long*>(data)[i] = static_cast<Long>(v); break;
        case INT: static_cast<int*>(data)[i] = static_cast<int>(v); break;
        case BOOL: static_cast<bool*>(data)[i] = v != 0; break;
        case BYTE: static_cast<unsigned char*>(data)[i] = static_cast<unsigned char>(v); break;
        case SHORT: static_cast<short*>(data)[i] = static_cast<short>(v); break;
        default: break;
    }
}

/** An array as ND4J describes it: rank, extents, strides. */
struct Array {
    void* data;
    const Long* info;
    Type type;

    Long rank() const { return info[0]; }
    Long extent(Long axis) const { return info[1 + axis]; }
    Long stride(Long axis) const { return info[1 + rank() + axis]; }
    Long length() const {
        Long n = 1;
        for (Long d = 0; d < rank(); d++) n *= extent(d);
        return n;
    }
    /** Where the i-th element lies, row by row. */
    Long at(Long i) const {
        Long place = 0;
        for (Long d = rank() - 1; d >= 0; d--) {
            place += i % extent(d) * stride(d);
            i /= extent(d);
        }
        return place;
    }
    /** Where the element lies that meets the i-th of a larger array; extents of 1 are repeated. */
    Long meeting(const Array& larger, Long i) const {
        Long place = 0;
        for (Long d = larger.rank() - 1; d >= 0; d--) {
            Long own = d - (larger.rank() - rank());
            if (own >= 0 && extent(own) > 1) place += i % larger.extent(d) * stride(own);
            i /= larger.extent(d);
        }
        return place;
    }
    /** Where the element lies that is repeated to the i-th of a larger array of the same rank. */
    Long repeated(const Array& larger, Long i) const {
        Long place = 0;
        for (Long d = larger.rank() - 1; d >= 0; d--) {
            place += i % larger.extent(d) % extent(d) * stride(d);
            i /= larger.extent(d);
        }
        return place;
    }
    double get(Long place) const { return load(data, type, place); }
    void set(Long place, double v) const { store(data, type, place, v); }
};

/** A kernel's name taken apart. */
struct Kernel {
    std::string full, name, operation;
    std::vector<std::string> types;
    int parameters = 0;
    /** The type of a place in the list; of one that is none of ours nothing can be computed. */
    Type type(size_t i) const {
        Type found = i < types.size() ? typeOf(types[i]) : OTHER;
        if (found == OTHER) throw std::invalid_argument(full);
        return found;
    }
};

std::vector<std::string> split(const std::string& list) {
    std::vector<std::string> parts;
    std::string part;
    int depth = 0;
    for (char c : list) {
        depth += (c == '<' || c == '(') - (c == '>' || c == ')');
        if (c == ',' && depth == 0) {
            parts.push_back(part);
            part.clear();
        } else if (!part.empty() || c != ' ') {
            part += c;
        }
    }
    while (!part.empty() && part.back() == ' ') part.pop_back();
    if (!part.empty()) parts.push_back(part);
    return parts;
}

size_t closing(const std::string& text, size_t open) {
    int depth = 0;
    for (size_t i = open; i < text.size(); i++) {
        depth += (text[i] == '<') - (text[i] == '>');
        if (depth == 0) return i;
    }
    return text.size();
}

Kernel parse(const std::string& mangled) {
    Kernel kernel;
    int status = 0;
    char* plain = abi::__cxa_demangle(mangled.c_str(), nullptr, nullptr, &status);
    kernel.full = plain ? plain : mangled;
    free(plain);
    std::string text = kernel.full.rfind("void ", 0) == 0 ? kernel.full.substr(5) : kernel.full;
    size_t bracket = text.find('<'), parameters = text.find('(');
    std::string name = text.substr(0, std::min(bracket, parameters));
    if (bracket < parameters) {
        size_t end = closing(text, bracket);
        kernel.types = split(text.substr(bracket + 1, end - bracket - 1));
        parameters = text.find('(', end);
    }
    size_t scope = name.rfind("::");
    kernel.name = scope == std::string::npos ? name : name.substr(scope + 2);
    if (parameters != std::string::npos) {
        kernel.parameters = static_cast<int>(
            split(text.substr(parameters + 1, text.rfind(')') - parameters - 1)).size());
    }
    // these have names of C, which say nothing of what they take
    if (kernel.name.rfind("randomSingle_", 0) == 0) kernel.parameters = 4;
    if (kernel.name.rfind("randomTriple_", 0) == 0) kernel.parameters = 8;
    if (!kernel.types.empty()) {
        std::string last = kernel.types.back();
        size_t start = last.find("simdOps::");
        if (start != std::string::npos) last = last.substr(start + 9);
        kernel.operation = last.substr(0, last.find('<'));
    }
    return kernel;
}

typedef double (*Unary)(double);
typedef double (*Binary)(double, double);

double logistic(double x) { return 1 / (1 + std::exp(-x)); }
double slope(double x) { return logistic(x) * (1 - logistic(x)); }
double tanhSlope(double x) { return 1 - std::tanh(x) * std::tanh(x); }

Unary unary(const std::string& name) {
    static const std::map<std::string, Unary> all = {
        {"Assign", [](double x) { return x; }}, {"Identity", [](double x) { return x; }},
        {"Neg", [](double x) { return -x; }}, {"Exp", [](double x) { return std::exp(x); }},
        {"Log", [](double x) { return std::log(x); }}, {"Log1p", [](double x) { return std::log1p(x); }},
        {"Sqrt", [](double x) { return std::sqrt(x); }}, {"Tanh", [](double x) { return std::tanh(x); }},
        {"Sigmoid", logistic}, {"SigmoidDerivative", slope}, {"TanhDerivative", tanhSlope},
        {"SoftPlus", [](double x) { return std::log(1 + std::exp(x)); }},
        {"Square", [](double x) { return x * x; }}, {"Cube", [](double x) { return x * x * x; }},
        {"Abs", [](double x) { return std::fabs(x); }}, {"OneMinus", [](double x) { return 1 - x; }},
        {"Ones", [](double) { return 1.0; }}, {"Reciprocal", [](double x) { return 1 / x; }},
        {"Sign", [](double x) { return static_cast<double>((x > 0) - (x < 0)); }},
        {"Floor", [](double x) { return std::floor(x); }}, {"Not", [](double x) { return x == 0 ? 1.0 : 0.0; }},
        {"IsFinite", [](double x) { return std::isfinite(x) ? 1.0 : 0.0; }},
        {"IsNan", [](double x) { return std::isnan(x) ? 1.0 : 0.0; }},
        {"IsInf", [](double x) { return std::isinf(x) ? 1.0 : 0.0; }},
        {"IsInfOrNan", [](double x) { return std::isfinite(x) ? 0.0 : 1.0; }}};
    auto found = all.find(name);
    return found == all.end() ? nullptr : found->second;
}

Binary binary(const std::string& name) {
    static const Binary second = [](double, double b) { return b; };
    static const Binary largest = [](double a, double b) { return a > b ? a : b; };
    static const std::map<std::string, Binary> all = {
        {"Add", [](double a, double b) { return a + b; }}, {"Subtract", [](double a, double b) { return a - b; }},
        {"Multiply", [](double a, double b) { return a * b; }}, {"Divide", [](double a, double b) { return a / b; }},
        {"ReverseSubtract", [](double a, double b) { return b - a; }},
        {"ReverseDivide", [](double a, double b) { return b / a; }},
        {"CopyPws", second}, {"Copy", second}, {"Copy2", second}, {"MaxPairwise", largest}, {"RELU", largest},
        {"MinPairwise", [](double a, double b) { return a < b ? a : b; }},
        {"Step", [](double a, double b) { return a > b ? 1.0 : 0.0; }},
        {"Pow", [](double a, double b) { return std::pow(a, b); }},
        {"Mod", [](double a, double b) { return std::fmod(a, b); }},
        {"FloorMod", [](double a, double b) { return a - std::floor(a / b) * b; }},
        {"SquaredSubtract", [](double a, double b) { return (a - b) * (a - b); }},
        {"LessThan", [](double a, double b) { return a < b ? 1.0 : 0.0; }},
        {"LessThanOrEqual", [](double a, double b) { return a <= b ? 1.0 : 0.0; }},
        {"GreaterThan", [](double a, double b) { return a > b ? 1.0 : 0.0; }},
        {"GreaterThanOrEqual", [](double a, double b) { return a >= b ? 1.0 : 0.0; }},
        {"EqualTo", [](double a, double b) { return a == b ? 1.0 : 0.0; }},
        {"NotEqualTo", [](double a, double b) { return a != b ? 1.0 : 0.0; }}};
    auto found = all.find(name);
    return found == all.end() ? nullptr : found->second;
}

/** Whether a number meets a condition of ND4J's, by its own numbers for them. */
bool meets(double x, double bound, double nearly, int condition) {
    switch (condition) {
        case 0: return std::fabs(x - bound) <= nearly;
        case 1: return std::fabs(x - bound) > nearly;
        case 2: return x < bound;
        case 3: return x > bound;
        case 4: return x <= bound;
        case 5: return x >= bound;
        case 6: return std::fabs(x) < bound;
        case 7: return std::fabs(x) > bound;
        case 8: return std::isinf(x);
        case 9: return std::isnan(x);
        case 10: return x == bound;
        case 11: return x != bound;
        case 12: return std::fabs(x) >= bound;
        default: return std::fabs(x) <= bound;
    }
}

/** A running result over elements. */
struct Reduction {
    const std::string& name;
    std::function<double(int)> setting;
    double result;
    Long n = 0;

    Reduction(const std::string& name, double first, std::function<double(int)> setting)
            : name(name), setting(setting) {
        static const std::set<std::string> known = {"Max", "Min", "AMax", "Prod", "All", "Any", "Norm1", "ASum", "AMean",
            "Norm2", "SquaredNorm", "CountNonZero", "CountZero", "MatchCondition", "Sum", "Mean"};
        if (!known.count(name)) throw std::invalid_argument(name);
        bool extreme = name == "Max" || name == "Min";
        result = extreme ? first : name == "AMax" ? std::fabs(first) : name == "Prod" || name == "All" ? 1 : 0;
    }
    void add(double x) {
        n++;
        if (name == "Max") result = x > result ? x : result;
        else if (name == "Min") result = x < result ? x : result;
        else if (name == "AMax") result = std::fmax(result, std::fabs(x));
        else if (name == "Prod") result *= x;
        else if (name == "All") result = result != 0 && x != 0;
        else if (name == "Any") result = result != 0 || x != 0;
        else if (name == "Norm1" || name == "ASum" || name == "AMean") result += std::fabs(x);
        else if (name == "Norm2" || name == "SquaredNorm") result += x * x;
        else if (name == "CountNonZero") result += x != 0;
        else if (name == "CountZero") result += x == 0;
        else if (name == "MatchCondition") result += meets(x, setting(0), setting(1), static_cast<int>(setting(2)));
        else result += x;
    }
    double end() const {
        return name == "Mean" || name == "AMean" ? result / n : name == "Norm2" ? std::sqrt(result) : result;
    }
};

/** What a kernel wanted to read where its device cannot. */
struct Unreachable { const void* pointer; };

/** The arguments of a launch. */
struct Arguments {
    void** all;
    int device;
    template <typename T> T get(int i) const {
        T value = *static_cast<T*>(all[i]);
        if constexpr (std::is_pointer_v<T>) return reachable(value);
        return value;
    }
    template <typename T> T reachable(T pointer) const {
        if (!isReachable(pointer, device)) throw Unreachable{pointer};
        return pointer;
    }
    Array array(int data, int info, Type type) const { return {get<void*>(data), get<const Long*>(info), type}; }
    double number(int i, Type type) const { return load(all[i], type, 0); }
};

bool transform(const Kernel& k, const Arguments& a) {
    if (k.name == "transformSameSimple" && k.operation == "CompareAndSetTransform") {
        Array x = a.array(0, 1, k.type(0)), z = a.array(4, 5, k.type(0));
        auto setting = [&](int i) { return load(a.get<void*>(3), x.type, i); };
        for (Long i = 0; i < z.length(); i++) {
            double v = x.get(x.at(i));
            z.set(z.at(i), meets(v, setting(0), setting(2), static_cast<int>(setting(3))) ? setting(1) : v);
        }
        return true;
    }
    Unary f = unary(k.operation);
    if (!f || k.name.rfind("transform", 0) != 0 || k.types.size() < 2) return false;
    Array x = a.array(0, 1, k.type(0)), z = a.array(4, 5, k.type(k.types.size() == 3 ? 1 : 0));
    Long n = std::min(x.length(), z.length());
    for (Long i = 0; i < n; i++) z.set(z.at(i), f(x.get(x.at(i))));
    return true;
}

bool elementwise(const Kernel& k, const Arguments& a) {
    Binary f = binary(k.operation);
    if (!f) return false;
    // comparisons have one type for what they compare and one for what they say
    const int second = k.types.size() > 3 ? 1 : 0, third = second + 1;
    if (k.name == "scalarSimpleShaped") {
        Array x = a.array(0, 2, k.type(0)), z = a.array(4, 5, k.type(third));
        double y = load(a.get<void*>(1), k.type(second), 0);
        for (Long i = 0; i < z.length(); i++) z.set(z.at(i), f(x.get(x.at(i)), y));
        return true;
    }
    if (k.name == "scalarAlongDimension") {
        Array x = a.array(0, 1, k.type(0)), z = a.array(3, 4, k.type(third));
        const Long *in = a.get<const Long*>(8), *starts = a.get<const Long*>(9);
        const Long *out = a.get<const Long*>(10), *ends = a.get<const Long*>(11);
        Array row = {x.data, in, x.type}, result = {z.data, out ? out : in, z.type};
        for (Long r = 0; r < x.length() / row.length(); r++) {
            double y = load(a.get<void*>(5), k.type(second), r);
            for (Long i = 0; i < row.length(); i++) {
                z.set((ends ? ends : starts)[r] + result.at(i), f(x.get(starts[r] + row.at(i)), y));
            }
        }
        return true;
    }
    if (k.name.rfind("pairwise", 0) != 0 && k.name.rfind("broadcast", 0) != 0) return false;
    Array x = a.array(0, 1, k.type(0)), y = a.array(2, 3, k.type(second)), z = a.array(4, 5, k.type(third));
    if (k.name == "pairwiseSimpleShaped") {
        for (Long i = 0; i < z.length(); i++) z.set(z.at(i), f(x.get(x.at(i)), y.get(y.at(i))));
        return true;
    }
    const bool whole = k.parameters < 8;
    if ((k.name == "broadcastSimple" || k.name == "broadcastBoolSimple") && whole) {
        for (Long i = 0; i < z.length(); i++) z.set(z.at(i), f(x.get(x.meeting(z, i)), y.get(y.meeting(z, i))));
        return true;
    }
    const bool inverse = k.name.find("InverseSimple") != std::string::npos;
    if (k.name != "broadcastSimple" && k.name != "broadcastBoolSimple" && !inverse) return false;
    const int at = k.parameters - 4;
    const Long *in = a.get<const Long*>(at), *starts = a.get<const Long*>(at + 1);
    const Long *out = a.get<const Long*>(at + 2), *ends = a.get<const Long*>(at + 3);
    Array part = {nullptr, in, OTHER}, result = {nullptr, out ? out : in, OTHER};
    Long n = part.length(), parts = (inverse ? y : x).length() / n;
    for (Long r = 0; r < parts; r++) {
        for (Long i = 0; i < n; i++) {
            Long place = starts[r] + part.at(i);
            double left = x.get(inverse ? x.at(i) : place), right = y.get(inverse ? place : y.at(i));
            z.set((out ? ends : starts)[r] + result.at(i), f(left, right));
        }
    }
    return true;
}

bool reduction(const Kernel& k, const Arguments& a) {
    Type result = k.types.size() > 2 ? k.type(1) : k.types.empty() ? OTHER : k.type(0);
    auto settings = [&](int at) { return [&, at](int i) { return load(a.get<void*>(at), k.type(0), i); }; };
    if (k.name == "simpleReduce") {
        Array outer = a.array(0, 1, k.type(0)), inner = a.array(0, 2, k.type(0)), z = a.array(5, 6, result);
        for (Long r = 0; r < z.length(); r++) {
            Long start = outer.at(r);
            Reduction sum(k.operation, inner.get(start), settings(3));
            for (Long i = 0; i < inner.length(); i++) sum.add(inner.get(start + inner.at(i)));
            z.set(z.at(r), sum.end());
        }
        return true;
    }
    if (k.name == "simpleScalar") {
        Array x = a.array(0, 1, k.type(0));
        Reduction sum(k.operation, x.get(x.at(0)), settings(2));
        for (Long i = 0; i < x.length(); i++) sum.add(x.get(x.at(i)));
        store(a.get<void*>(3), result, 0, sum.end());
        return true;
    }
    if (k.name == "execScalarGeneric" && k.full.find("reduce3") != std::string::npos && a.get<int>(0) == 4) {
        // how many elements of two arrays differ by more than the third number that is given
        Array x = a.array(1, 2, k.type(0)), y = a.array(3, 4, k.type(0));
        double nearly = std::fabs(load(a.get<void*>(5), k.type(1), 2)), differ = 0;
        for (Long i = 0; i < x.length(); i++) differ += !(std::fabs(x.get(x.at(i)) - y.get(y.at(i))) <= nearly);
        store(a.get<void*>(6), k.type(1), 0, differ);
        return true;
    }
    if (k.name != "simpleIndexReduceGeneric" || a.get<int>(0) > 1) return false;
    Array x = a.array(1, 2, k.type(0)), z = a.array(5, 6, k.type(1));
    bool largest = a.get<int>(0) == 0;
    const Long *info = a.get<const Long*>(13), *starts = a.get<const Long*>(14);
    bool whole = !info || z.length() == 1;
    Array row = {x.data, whole ? x.info : info, x.type};
    for (Long r = 0; r < (whole ? 1 : x.length() / row.length()); r++) {
        Long start = whole ? 0 : starts[r], best = 0;
        for (Long i = 1; i < row.length(); i++) {
            double v = x.get(start + row.at(i)), most = x.get(start + row.at(best));
            if (largest ? v > most : v < most) best = i;
        }
        z.set(whole ? 0 : z.at(r), static_cast<double>(best));
    }
    return true;
}

void softmax(const Array& x, Long from, const Array& z, Long to, bool logarithm) {
    double peak = -std::numeric_limits<double>::infinity(), sum = 0;
    for (Long i = 0; i < x.length(); i++) peak = std::fmax(peak, x.get(from + x.at(i)));
    for (Long i = 0; i < x.length(); i++) sum += std::exp(x.get(from + x.at(i)) - peak);
    for (Long i = 0; i < x.length(); i++) {
        double v = x.get(from + x.at(i)) - peak;
        z.set(to + z.at(i), logarithm ? v - std::log(sum) : std::exp(v) / sum);
    }
}

bool rows(const Kernel& k, const Arguments& a, Dim3 grid) {
    if (k.name == "softMaxCuda") {
        Array x = a.array(0, 1, k.type(0)), z = a.array(3, 4, k.type(0));
        for (unsigned r = 0; r < grid.x; r++) softmax(x, a.get<Long*>(2)[r], z, a.get<Long*>(5)[r], false);
        return true;
    }
    if (k.name == "softMaxForVectorCudaGlobal" || k.name == "logSoftMaxForVectorCuda") {
        bool logarithm = k.name[0] == 'l';
        softmax(a.array(0, 1, k.type(0)), 0, a.array(2, logarithm ? 1 : 3, k.type(0)), 0, logarithm);
        return true;
    }
    if (k.name == "onehotCuda") {
        Array x = a.array(0, 1, k.type(0)), z = a.array(2, 3, k.type(1));
        Long axis = a.get<unsigned>(4), depth = z.extent(axis), inner = 1;
        for (Long d = axis + 1; d < z.rank(); d++) inner *= z.extent(d);
        double on = a.number(6, z.type), off = a.number(7, z.type);
        for (Long i = 0; i < z.length(); i++) {
            double wanted = x.get(x.at(i / (inner * depth) * inner + i % inner));
            z.set(z.at(i), static_cast<double>(i / inner % depth) == wanted ? on : off);
        }
        return true;
    }
    if (k.name == "concatCuda") {
        Array z = a.array(2, 3, k.type(0));
        Long axis = a.get<int>(4), inner = 1;
        for (Long d = axis + 1; d < z.rank(); d++) inner *= z.extent(d);
        for (Long i = 0; i < z.length(); i++) {
            Long position = i / inner % z.extent(axis), outer = i / inner / z.extent(axis);
            int part = 0;
            while (position >= a.get<const Long**>(1)[part][1 + axis]) {
                position -= a.get<const Long**>(1)[part++][1 + axis];
            }
            Array x = {a.reachable(a.get<void**>(0)[part]), a.reachable(a.get<const Long**>(1)[part]), z.type};
            z.set(z.at(i), x.get(x.at((outer * x.extent(axis) + position) * inner + i % inner)));
        }
        return true;
    }
    if (k.name == "gatherCuda") {
        Array x = a.array(1, 2, k.type(0)), index = a.array(4, 5, k.type(1)), z = a.array(6, 7, k.type(0));
        for (Long r = 0; r < a.get<int>(0); r++) {
            Long from = a.get<Long*>(3)[static_cast<Long>(index.get(index.at(r)))], to = a.get<Long*>(8)[r];
            for (Long i = 0; i < x.length(); i++) z.set(to + z.at(i), x.get(from + x.at(i)));
        }
        return true;
    }
    if (k.name == "execPullRowsKernel") {
        Array x = a.array(0, 4, k.type(0)), z = a.array(1, 6, k.type(0));
        for (Long r = 0; r < a.get<Long>(2); r++) {
            Long from = a.get<Long*>(5)[a.get<Long*>(3)[r]], to = a.get<Long*>(7)[r];
            for (Long i = 0; i < x.length(); i++) z.set(to + z.at(i), x.get(from + x.at(i)));
        }
        return true;
    }
    if (k.name == "tileKernelDouble") {
        Array x = a.array(0, 1, k.type(1)), z = a.array(2, 3, k.type(0));
        for (Long i = 0; i < z.length(); i++) z.set(z.at(i), x.get(x.repeated(z, i)));
        return true;
    }
    if (k.name == "prefixPerBlockCuda") {
        Array x = a.array(1, 2, k.type(0)), z = a.array(4, 5, k.type(0));
        bool sum = a.get<int>(0) == 0, exclusive = a.get<bool>(9), backwards = a.get<bool>(10);
        Long length = a.get<Long>(8);
        for (Long r = 0; r < a.get<Long>(7); r++) {
            double before = sum ? 0 : 1;
            for (Long q = 0; q < length; q++) {
                Long i = backwards ? length - 1 - q : q;
                double v = x.get(a.get<Long*>(3)[r] + x.at(i)), after = sum ? before + v : before * v;
                z.set(a.get<Long*>(6)[r] + z.at(i), exclusive ? before : after);
                before = after;
            }
        }
        return true;
    }
    return false;
}

bool updates(const Kernel& k, const Arguments& a) {
    if (k.name == "adamUpdaterCuda") {
        Type t = k.type(0);
        Array g = a.array(0, 1, t), v = a.array(2, 3, t), m = a.array(4, 5, t);
        Array z = a.array(6, 7, t), newV = a.array(8, 9, t), newM = a.array(10, 11, t);
        double b1 = a.number(13, t), b2 = a.number(14, t), epsilon = a.number(15, t), step = a.number(16, t) + 1;
        double rate = a.number(12, t) * std::sqrt(1 - std::pow(b2, step)) / (1 - std::pow(b1, step));
        if (rate == 0 || !std::isfinite(rate)) rate = epsilon;
        for (Long i = 0; i < g.length(); i++) {
            double x = g.get(g.at(i));
            newM.set(newM.at(i), b1 * m.get(m.at(i)) + (1 - b1) * x);
            newV.set(newV.at(i), b2 * v.get(v.at(i)) + (1 - b2) * x * x);
            z.set(z.at(i), rate * newM.get(newM.at(i)) / (std::sqrt(newV.get(newV.at(i))) + epsilon));
        }
        return true;
    }
    if (k.name == "rmsPropUpdaterCuda") {
        Type t = k.type(0);
        Array g = a.array(0, 1, t), v = a.array(2, 3, t), z = a.array(4, 5, t), newV = a.array(6, 7, t);
        double rate = a.number(8, t), decay = a.number(9, t), epsilon = a.number(10, t);
        for (Long i = 0; i < g.length(); i++) {
            double x = g.get(g.at(i));
            newV.set(newV.at(i), decay * v.get(v.at(i)) + (1 - decay) * x * x);
            z.set(z.at(i), rate * x / (std::sqrt(newV.get(newV.at(i))) + epsilon));
        }
        return true;
    }
    if (k.name == "lambdaPairwiseKernel") {
        auto named = [&](const char* part) { return k.full.find(part) != std::string::npos; };
        Binary f = named("sigmoidDerivative_") ? [](double x, double y) { return y * slope(x); }
                 : named("tanhDerivative_") ? [](double x, double y) { return y * tanhSlope(x); }
                 : named("reluDerivative") ? [](double x, double y) { return x > 0 ? y : 0.0; } : Binary(nullptr);
        if (!f) return false;
        if (k.parameters == 6) {
            // of two numbers
            Array y = a.array(1, 2, k.type(0)), z = a.array(3, 4, k.type(0));
            z.set(0, f(load(a.get<void*>(0), z.type, 0), y.get(0)));
            return z.length() == 1;
        }
        Array x = a.array(0, 1, k.type(0)), y = a.array(2, 3, k.type(0)), z = a.array(4, 5, k.type(0));
        for (Long i = 0; i < z.length(); i++) z.set(z.at(i), f(x.get(x.at(i)), y.get(y.at(i))));
        return true;
    }
    if (k.name == "usualCudaDot") {
        double sum = 0;
        for (Long i = 0; i < a.get<Long>(0); i++) {
            sum += load(a.get<void*>(2), k.type(0), i * a.get<Long>(3))
                * load(a.get<void*>(4), k.type(1), i * a.get<Long>(5));
        }
        double beta = a.get<double>(6), before = beta == 0 ? 0 : beta * load(a.get<void*>(7), k.type(2), 0);
        store(a.get<void*>(7), k.type(2), 0, a.get<double>(1) * sum + before);
        return true;
    }
    return k.name == "lastStep" || k.name == "splitBufferToChuncks" || k.name == "internalHash";
}

/** A number in [0, 1) by the state of ND4J's generator, whose seeds are its second and third word, and a place. */
double uniform(const uint64_t* state, uint64_t place) {
    uint64_t bits = state[1] * 0x9E3779B97F4A7C15u + (state[2] ^ place) * 0xD1342543DE82EF95u;
    for (int round = 0; round < 3; round++) bits = (bits ^ (bits >> 29)) * 0xBF58476D1CE4E5B9u;
    return static_cast<double>(bits >> 40) / (1 << 24);
}

/** Random numbers: not those of a card, but by the same seed the same again. */
bool randoms(const Kernel& k, const Arguments& a) {
    bool even = k.name.rfind("randomSingle_0_", 0) == 0, normal = k.name.rfind("randomTriple_6_", 0) == 0;
    if (!even && !normal) return false;
    Type type = typeOf(k.name.substr(15));
    auto* state = a.get<const uint64_t*>(0);
    Array z = even ? a.array(1, 2, type) : a.array(5, 6, type);
    void* settings = a.get<void*>(even ? 3 : 7);
    double first = load(settings, type, 0), second = load(settings, type, 1);
    for (Long i = 0; i < z.length(); i++) {
        if (even) {
            z.set(z.at(i), first + uniform(state, i) * (second - first));
        } else {
            // means may come as an array
            Array means = a.array(3, 4, type);
            double mean = means.data == z.data ? first : means.get(means.at(i));
            double radius = std::sqrt(-2 * std::log(1 - uniform(state, 2 * i)));
            z.set(z.at(i), mean + second * radius * std::cos(2 * M_PI * uniform(state, 2 * i + 1)));
        }
    }
    return type != OTHER;
}

}  // namespace

std::function<void()> kernel(const std::string& name, Dim3 grid, void** arguments) {
    static std::mutex lock;
    static std::map<std::string, Kernel> all;
    const Kernel* known;
    {
        std::lock_guard<std::mutex> guard(lock);
        auto found = all.find(name);
        if (found == all.end()) found = all.emplace(name, parse(name)).first;
        known = &found->second;
    }
    // none of a kernel's arguments is longer
    typedef std::array<char, 64> Argument;
    std::vector<Argument> copies(known->parameters);
    for (size_t i = 0; i < copies.size(); i++) memcpy(copies[i].data(), arguments[i], sizeof(Argument));
    const int device = currentDevice();
    return [known, grid, device, copies]() mutable {
        std::vector<void*> places;
        for (Argument& copy : copies) places.push_back(copy.data());
        Arguments a = {places.data(), device};
        try {
            if (transform(*known, a) || elementwise(*known, a) || reduction(*known, a) || rows(*known, a, grid)
                    || updates(*known, a) || randoms(*known, a)) return;
            reportMissing(known->full);
        } catch (const std::invalid_argument&) {
            reportMissing(known->full);
        } catch (const Unreachable& u) {
            reportUnreachable(known->full, u.pointer);
        }
    };
}
